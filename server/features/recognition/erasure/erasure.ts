import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import type { Place } from '#server/features/recognition/store/face-store.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Store, Write } from '#server/platform/store/store.ts'

/** Faces per commit. */
const removedAtOnce = 500

/** Removes the data stored for a collection or a person. */
export interface Erasure {
  /** Erases a collection: its key first, then every face. No-op if it does not exist. */
  eraseCollection(accountId: string, collectionId: string): Promise<void>
  /** Removes the faces in a collection with a noted erasure, and deletes the note. */
  emptyGallery(place: Place): Promise<void>
  /**
   * Completes interrupted erasures, and drops cached collections that other processes have erased. Called in every sweep.
   * @throws the first error, after trying all of them
   */
  finishErasures(): Promise<void>
  /** Removes every face with an external ID from all of the account's collections, and returns how many. */
  removeByExternalId(accountId: string, externalId: string): Promise<number>
}

export function createErasure(store: Store, access: CollectionAccess): Erasure {
  /** [Note: The key goes first] Even if the rest is interrupted, the faces can no longer be opened or listed. */
  async function emptyGallery(place: Place): Promise<void> {
    for (;;) {
      const writes = await firstRemovals(access, place)
      if (writes.length === 0) break
      await store.commit(writes, [])
    }
    await eraseFromIndexes(access, place)
    await store.commit([access.erasures.strike(place)], [])
  }

  return {
    async eraseCollection(accountId, collectionId) {
      const erased = await access.change(accountId, collectionId, async (collection, writer) =>
        collection.exists ? { answer: collection.place, change: writer.erase() } : { answer: undefined },
      )
      if (erased !== undefined) await emptyGallery(erased)
    },
    emptyGallery,
    async finishErasures() {
      await forgetErased(access)
      const faults: unknown[] = []
      for (const place of await allOf(access.erasures.all()))
        await emptyGallery(place).catch((fault: unknown) => faults.push(fault))
      if (faults.length > 0) throw faults[0]
    },
    async removeByExternalId(accountId, externalId) {
      let removedCount = 0
      for (const [collectionId, faceIds] of await findFaces(access, accountId, externalId)) {
        for (let start = 0; start < faceIds.length; start += removedAtOnce) {
          const batch = faceIds.slice(start, start + removedAtOnce)
          removedCount += await access.change(accountId, collectionId, async (collection, writer) => {
            const change = await writer.remove(await stillNamed(access, collection.place, batch, externalId))
            return { answer: change.removedCount, change }
          })
        }
      }
      return removedCount
    },
  }
}

/** Removes a collection's data from all indexes. @throws {Problem} search_incomplete if a server does not answer */
async function eraseFromIndexes({ indexes }: CollectionAccess, place: Place): Promise<void> {
  await indexes.memory.erase(place)
  await indexes.postgres?.erase(place)
}

/** Drops cached collections that another process has erased. */
async function forgetErased({ indexes: { memory }, find }: CollectionAccess): Promise<void> {
  for (const place of memory.places()) {
    // A collection that can no longer be read is not searched.
    const record = await find(place.accountId, place.collectionId).catch(() => undefined)
    if (record?.galleryId !== place.galleryId) memory.forget(place)
  }
}

/** [Note: Nothing is removed from under a list] A store's behaviour is undefined if a list is changed while it is being read. */
async function firstRemovals(access: CollectionAccess, place: Place): Promise<Write[]> {
  const writes: Write[] = []
  for await (const removal of removalsOf(access, place)) {
    writes.push(...removal)
    if (writes.length >= removedAtOnce) break
  }
  return writes
}

async function* removalsOf(access: CollectionAccess, place: Place): AsyncGenerator<readonly Write[]> {
  for await (const { writes } of access.faceStore.writes.removals(place)) yield writes
  for await (const write of access.changeLog.removals(place)) yield [write]
}

/** [Note: A face may change hands] By its collection's turn, a face may have a different external ID than when it was listed. */
async function stillNamed(
  { faceStore }: CollectionAccess,
  place: Place,
  faceIds: readonly string[],
  externalId: string,
): Promise<string[]> {
  const own = await Promise.all(faceIds.map((faceId) => faceStore.isOf(place, faceId, externalId)))
  return faceIds.filter((_, index) => own[index])
}

async function findFaces(
  { faceStore }: CollectionAccess,
  accountId: string,
  externalId: string,
): Promise<Map<string, string[]>> {
  const byCollection = new Map<string, string[]>()
  for await (const { collectionId, faceId } of faceStore.ofExternalId(accountId, externalId)) {
    const faceIds = byCollection.get(collectionId) ?? []
    faceIds.push(faceId)
    byCollection.set(collectionId, faceIds)
  }
  return byCollection
}
