import { setTimeout as pause } from 'node:timers/promises'
import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import { noCollection } from '#server/features/recognition/endpoints/collections.ts'
import type { IndexedCollection, IndexKind } from '#server/features/recognition/index/face-index.ts'
import type { Place } from '#server/features/recognition/store/face-store.ts'
import { Problem } from '#shared/problem.ts'

/** By then, calls that had read the record have started their search. */
const overlapInMilliseconds = 1000

interface Move {
  readonly accountId: string
  readonly collectionId: string
  readonly to: IndexKind
  /** Receives the number of loaded faces from time to time. */
  readonly onProgress?: (faces: number) => void
}

/** A move's result. */
export interface Moved {
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
export async function moveCollection(access: CollectionAccess, move: Move): Promise<Moved> {
  const { accountId, collectionId, to } = move
  if (access.indexOf(to) === undefined) throw noServers()
  const faceCount = to === 'postgres' ? await takeIn(access, move) : null
  const place = await access.change(accountId, collectionId, async (collection) => {
    if (!collection.exists) throw noCollection()
    return { answer: collection.place, change: collection.moved(to) }
  })
  if (to === 'memory') await eraseFromServers(access, place)
  return { collectionId, to, faceCount }
}

/** [Note: Erased twice] A process that read the record before it changed may start loading the faces again. */
async function eraseFromServers(access: CollectionAccess, place: Place): Promise<void> {
  await access.indexOf('postgres')?.erase(place)
  await pause(overlapInMilliseconds)
  await access.indexOf('postgres')?.erase(place)
}

/** Loads faces until the servers have all of them, including faces added and removed in the meantime. */
async function takeIn(
  access: CollectionAccess,
  { accountId, collectionId, onProgress }: Move,
): Promise<number> {
  for (;;) {
    const indexed = await indexedCollection(access, accountId, collectionId)
    try {
      return (await access.indexOf('postgres')!.ready(indexed)).size
    } catch (error) {
      const faces = error instanceof Problem ? error.members.facesTakenIn : undefined
      if (typeof faces !== 'number') throw error
      onProgress?.(faces)
    }
  }
}

function indexedCollection(
  access: CollectionAccess,
  accountId: string,
  collectionId: string,
): Promise<IndexedCollection> {
  return access.use(accountId, collectionId, async (collection) => {
    if (!collection.exists) throw noCollection()
    return collection.indexed()
  })
}

function noServers(): Problem {
  return new Problem('not_ready', 'Neither STORE nor INDEX_SERVERS names a PostgreSQL server.')
}
