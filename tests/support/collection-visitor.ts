import { embeddingModel } from '#models/rules/embedding.ts'
import { createCollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import { createErasure } from '#server/features/recognition/erasure/erasure.ts'
import { createResetCollection } from '#server/features/verify/reset.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import { randomEmbedding } from './drawn/random-face.ts'

export const accountId = 'account'

type Options = Parameters<typeof createCollectionAccess>[3]

/** How one process sees a store's collections. People are numbers. */
export function visitCollections(store: Store, options: Options = {}) {
  const keyRing = createKeyRing(Buffer.alloc(32, 1), 'EU')
  const access = createCollectionAccess(store, keyRing, Date.now, options)
  const erasure = createErasure(store, access)
  const resetCollection = createResetCollection(access)
  const faceOf = (person: number, externalId: string | null = null) => ({
    embedding: randomEmbedding(person),
    embeddingModel,
    externalId,
  })
  const attempts: number[] = []

  return {
    access,
    erasure,
    /** How many attempts each search-or-index took. */
    attempts,
    add: (collectionId: string, person: number, externalId: string | null = null): Promise<string> =>
      access.change(accountId, collectionId, async (_, writer) => {
        const added = writer.add(faceOf(person, externalId))
        return { answer: added.faceId, change: added }
      }),
    addSeveral: (collectionId: string, people: readonly number[], externalId: string | null = null) =>
      access.change(accountId, collectionId, async (_, writer) => {
        const change = writer.addSeveral(people.map((person) => faceOf(person, externalId)))
        return { answer: change.faceIds, change }
      }),
    find: (collectionId: string, person: number): Promise<string | undefined> =>
      access.use(accountId, collectionId, async (collection) => {
        const match = await collection.closest({ first: randomEmbedding(person) }, 80)
        return match?.face.faceId
      }),
    /** The number of faces, and how many of them are compared. */
    count: (collectionId: string): Promise<{ size: number; comparableCount: number }> =>
      access.use(accountId, collectionId, async (collection) => {
        const { size, comparableCount } = await collection.gallery()
        return { size, comparableCount }
      }),
    /** `pause` is how long a search among many faces takes. */
    async searchOrIndex(collectionId: string, person: number, pause = async () => {}): Promise<string> {
      let attempt = 0
      const faceId = await access.change(accountId, collectionId, async (collection, writer) => {
        attempt++
        const known = await collection.closest({ first: randomEmbedding(person) }, 80)
        await pause()
        if (known !== undefined) return { answer: known.face.faceId }
        const added = writer.add(faceOf(person))
        return { answer: added.faceId, change: added }
      })
      attempts.push(attempt)
      return faceId
    },
    remove: (collectionId: string, faceIds: readonly string[]): Promise<number> =>
      access.change(accountId, collectionId, async (_, writer) => {
        const change = await writer.remove(faceIds)
        return { answer: change.removedCount, change }
      }),
    reset: async (collectionName: string, entryLimit: number): Promise<number> => {
      const query = { collectionName, entryLimit }
      const answer = await resetCollection({ query, body: undefined, caller: { accountId } as never })
      return answer.numberOfEntriesDeleted
    },
    erase: (collectionId: string): Promise<void> => erasure.eraseCollection(accountId, collectionId),
    forget: (externalId: string): Promise<number> => erasure.removeByExternalId(accountId, externalId),
  }
}
