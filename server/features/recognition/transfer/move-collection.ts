import { setTimeout as pause } from 'node:timers/promises'
import type { CollectionAccess } from '#server/features/recognition/collection-access.ts'
import { noCollection } from '#server/features/recognition/collections.ts'
import type { Place } from '#server/features/recognition/faces/face-store.ts'
import type { IndexedCollection, IndexKind } from '#server/features/recognition/faces/indexed-collections.ts'
import { Problem } from '#shared/problem.ts'

/** A call that had read the record is past the beginning of its search by then. */
const overlapInMilliseconds = 1000

interface Move {
  readonly accountId: string
  readonly collectionId: string
  readonly to: IndexKind
  /** Told now and then how many faces are there. */
  readonly onProgress?: (faces: number) => void
}

/** How a move ended. */
export interface Moved {
  readonly collectionId: string
  readonly to: IndexKind
  /** How many faces are searched there; null where each process reads them when it first searches them. */
  readonly faceCount: number | null
}

/**
 * Has the faces of a collection searched elsewhere, while calls go on: they are taken in first, the record of the collection then says where they
 * are, and every process goes by it from its next call on. What was cut short goes on where it ended when it is repeated.
 * @throws {Problem} not_found; not_ready where no server is set; search_incomplete where one does not answer
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

/** [Note: Erased twice] Whoever read the record before it changed may begin to take the faces in again. */
async function eraseFromServers(access: CollectionAccess, place: Place): Promise<void> {
  await access.indexOf('postgres')?.erase(place)
  await pause(overlapInMilliseconds)
  await access.indexOf('postgres')?.erase(place)
}

/** Takes faces in until the servers have them all; those that come and go meanwhile follow. */
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
