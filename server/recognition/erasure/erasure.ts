import type { CollectionAccess } from '#server/recognition/collection-access.ts'
import type { Place } from '#server/recognition/faces/face-store.ts'
import type { Store, Write } from '#server/store/store.ts'

/** Faces of one commit. */
const removedAtOnce = 500

/** Removes what belongs to a collection or to a person. */
export interface Erasure {
  /** Erases a collection: its key first, then every face. Nothing where it does not exist. */
  eraseCollection(accountId: string, collectionId: string): Promise<void>
  /** Removes the faces of a collection whose erasure is noted, and strikes it off. */
  emptyGallery(place: Place): Promise<void>
  /** Finishes what was interrupted, and forgets what other processes have erased: for every sweep. */
  finishErasures(): Promise<void>
  /** Removes every face that the account keeps of an external id, in all of its collections; answers how many. */
  removeByExternalId(accountId: string, externalId: string): Promise<number>
}

export function createErasure(store: Store, access: CollectionAccess): Erasure {
  /** [Note: The key goes first] Whatever interrupts the rest, no face can be opened, and none is ever listed again. */
  async function emptyGallery(place: Place): Promise<void> {
    for (let writes = await firstRemovals(place); writes.length > 0; writes = await firstRemovals(place)) {
      await store.commit(writes, [])
    }
    await store.commit([access.erasures.strike(place)], [])
  }

  /** [Note: Nothing is removed from under a list] What a store lists while it is being changed is not said. */
  async function firstRemovals(place: Place): Promise<Write[]> {
    const writes: Write[] = []
    for await (const removal of removalsOf(place)) {
      writes.push(...removal)
      if (writes.length >= removedAtOnce) break
    }
    return writes
  }

  async function* removalsOf(place: Place): AsyncGenerator<readonly Write[]> {
    for await (const { writes } of access.faceStore.removals(place)) yield writes
    for await (const write of access.changeLog.removals(place)) yield [write]
  }

  async function removeFrom(accountId: string, collectionId: string, faceIds: readonly string[]) {
    return access.change(accountId, collectionId, async (collection) => {
      const change = await collection.remove(faceIds)
      return { answer: change.removedCount, change }
    })
  }

  async function facesOf(accountId: string, externalId: string): Promise<Map<string, string[]>> {
    const byCollection = new Map<string, string[]>()
    for await (const { collectionId, faceId } of access.faceStore.ofExternalId(accountId, externalId)) {
      const faceIds = byCollection.get(collectionId) ?? []
      faceIds.push(faceId)
      byCollection.set(collectionId, faceIds)
    }
    return byCollection
  }

  return {
    async eraseCollection(accountId, collectionId) {
      const erased = await access.change(accountId, collectionId, async (collection) =>
        collection.exists ? { answer: collection.place, change: collection.erase() } : { answer: undefined },
      )
      if (erased !== undefined) await emptyGallery(erased)
    },
    emptyGallery,
    async finishErasures() {
      await access.forgetErased()
      const places: Place[] = []
      for await (const place of access.erasures.all()) places.push(place)
      for (const place of places) await emptyGallery(place)
    },
    async removeByExternalId(accountId, externalId) {
      let removedCount = 0
      for (const [collectionId, faceIds] of await facesOf(accountId, externalId)) {
        for (let start = 0; start < faceIds.length; start += removedAtOnce) {
          const lot = faceIds.slice(start, start + removedAtOnce)
          removedCount += await removeFrom(accountId, collectionId, lot)
        }
      }
      return removedCount
    },
  }
}
