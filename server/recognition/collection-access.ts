import { type EmbeddingModel, embeddingModel } from '#models/embedder.ts'
import type { KeyRing } from '#server/security/key-ring.ts'
import type { Clock, Store } from '#server/store/store.ts'
import { createTable } from '#server/store/tables.ts'
import { createTurns } from '#server/store/turns.ts'
import { Problem } from '#shared/problem.ts'
import type { Collection } from './collection.ts'
import { createErasureList, type ErasureList } from './erasure-list.ts'
import { createFaceStore, type FaceStore } from './face-store.ts'
import { createIndexCache } from './index-cache.ts'
import { type Change, type OpenCollection, openCollection } from './open-collection.ts'

/** [Note: Ours] Some 200 MB of embeddings. */
const mostCachedFaces = 100_000
const mostAttempts = 20

/** What is answered, and what has to be written for it to be true. */
export interface Decision<T> {
  readonly answer: T
  readonly change?: Change
}

/** The one way to the faces of a collection. */
export interface CollectionAccess {
  /** Works on a collection as a critical section of this process; one that does not exist is new and empty. */
  use<T>(
    accountId: string,
    collectionId: string,
    work: (collection: OpenCollection) => Promise<T>,
  ): Promise<T>
  /**
   * Decides and writes as one critical section, also across processes: the decision is taken anew where another
   * process changed the collection before it was written.
   * @throws {Problem} overloaded where that happens again and again
   */
  change<T>(
    accountId: string,
    collectionId: string,
    decide: (collection: OpenCollection) => Promise<Decision<T>>,
  ): Promise<T>
  find(accountId: string, collectionId: string): Promise<Collection | undefined>
  list(accountId: string): AsyncIterable<Collection>
  readonly faceStore: FaceStore
  readonly erasures: ErasureList
}

export function createCollectionAccess(
  store: Store,
  keyRing: KeyRing,
  now: Clock,
  model: EmbeddingModel = embeddingModel,
): CollectionAccess {
  const collections = createTable<Collection>(store, 'collection')
  const faceStore = createFaceStore(store, keyRing, now)
  const erasures = createErasureList(store)
  const cache = createIndexCache(mostCachedFaces)
  const known = { collections, faceStore, erasures, keyRing, cache, model, now }
  const turns = createTurns()

  const use: CollectionAccess['use'] = (accountId, collectionId, work) =>
    turns.take(`${accountId}/${collectionId}`, async () =>
      work(openCollection(known, accountId, collectionId, await collections.read(accountId, collectionId))),
    )

  return {
    use,
    async change(accountId, collectionId, decide) {
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        const decision = await use(accountId, collectionId, async (collection) => {
          const { answer, change } = await decide(collection)
          const holds = change === undefined || (await store.commit(change.writes, change.guards))
          return holds ? { answer } : undefined
        })
        if (decision !== undefined) return decision.answer
      }
      throw new Problem('overloaded', 'The collection is busy. Try again shortly.', {
        retryAfterInSeconds: 2,
      })
    },
    find: (accountId, collectionId) => collections.get(accountId, collectionId),
    list: (accountId) => collections.list(accountId),
    faceStore,
    erasures,
  }
}
