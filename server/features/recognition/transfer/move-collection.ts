import { setTimeout as pause } from 'node:timers/promises'
import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import { noCollection } from '#server/features/recognition/collections/no-collection.ts'
import type { CollectionRevision } from '#server/features/recognition/index/face-index.ts'
import type { IndexKind } from '#server/features/recognition/store/collection.ts'
import type { Place } from '#server/features/recognition/store/face-store.ts'
import { Problem } from '#shared/problem.ts'

/** By then, calls that had read the record have started their search. */
const overlapInMilliseconds = 1000

interface CollectionMove {
  readonly accountId: string
  readonly collectionId: string
  readonly to: IndexKind
  /** Receives the number of loaded faces from time to time. */
  readonly onProgress?: (faces: number) => void
}

/** A move's result. */
export interface MoveResult {
  readonly collectionId: string
  readonly to: IndexKind
  /** How many faces are in the new index; null if each process loads them on its first search. */
  readonly faceCount: number | null
}

/**
 * Moves a collection's search to another index without interrupting calls. The faces are loaded first. Then the
 * collection's record names the new index, and every process follows from its next call on. Repeating an interrupted move
 * continues it.
 * @throws {Problem} not_found; not_ready if no server is configured; search_incomplete if one does not answer
 */
export async function moveCollection(access: CollectionAccess, move: CollectionMove): Promise<MoveResult> {
  const { accountId, collectionId, to } = move
  if (access.indexes[to] === undefined) throw noServers()
  const faceCount = to === 'postgres' ? await takeIn(access, move) : null
  const place = await access.change(accountId, collectionId, async (collection, writer) => {
    if (!collection.exists) throw noCollection()
    return { answer: collection.place, change: writer.amend({ faceIndex: to }) }
  })
  if (to === 'memory') await eraseFromServers(access, place)
  return { collectionId, to, faceCount }
}

/** [Note: Erased twice] A process that read the record before it changed may start loading the faces again. */
async function eraseFromServers(access: CollectionAccess, place: Place): Promise<void> {
  await access.indexes.postgres?.erase(place)
  await pause(overlapInMilliseconds)
  await access.indexes.postgres?.erase(place)
}

/** Loads faces until the servers have all of them, including faces added and removed in the meantime. */
async function takeIn(
  access: CollectionAccess,
  { accountId, collectionId, onProgress }: CollectionMove,
): Promise<number> {
  for (;;) {
    const collection = await readRevision(access, accountId, collectionId)
    try {
      return (await access.indexes.postgres!.open(collection)).size
    } catch (error) {
      const faces = error instanceof Problem ? error.members.facesTakenIn : undefined
      if (typeof faces !== 'number') throw error
      onProgress?.(faces)
    }
  }
}

function readRevision(
  access: CollectionAccess,
  accountId: string,
  collectionId: string,
): Promise<CollectionRevision> {
  return access.read(accountId, collectionId, async ({ exists, place, key, record }) => {
    if (!exists) throw noCollection()
    return { place, key: key(), revision: record.revision }
  })
}

function noServers(): Problem {
  return new Problem('not_ready', 'Neither STORE nor INDEX_SERVERS names a PostgreSQL server.')
}
