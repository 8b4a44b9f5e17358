import { type EmbeddingModel, embeddingModel } from '#models/rules/embedding.ts'
import type { KeyRing } from '#server/security/key-ring.ts'
import { contended } from '#server/store/contended.ts'
import type { Clock, Store } from '#server/store/store.ts'
import { createTable } from '#server/store/tables.ts'
import { createTurns, type Turns } from '#server/store/turns.ts'
import { Problem } from '#shared/problem.ts'
import type { Collection } from './collection.ts'
import { createErasureList, type ErasureList } from './erasure/erasure-list.ts'
import { type ChangeLog, createChangeLog } from './faces/change-log.ts'
import { createFaceStore, type FaceStore } from './faces/face-store.ts'
import { createFacesInMemory } from './faces/faces-in-memory.ts'
import { createIndexCache, type KeptIndex } from './faces/index-cache.ts'
import { type Change, type OpenCollection, openCollection } from './faces/open-collection.ts'
import type { CreateIndex } from './faces/searchable-faces.ts'
import { readWithModel } from './model-pin.ts'
import { createPrecedence } from './precedence.ts'

const claimedAfterLosses = 3

/** What is answered, and what has to be written for it to be true. */
export interface Decision<T> {
  readonly answer: T
  readonly change?: Change
}

type Decide<T> = (collection: OpenCollection) => Promise<Decision<T>>

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
  change<T>(accountId: string, collectionId: string, decide: Decide<T>): Promise<T>
  find(accountId: string, collectionId: string): Promise<Collection | undefined>
  list(accountId: string): AsyncIterable<Collection>
  /** Forgets what is in memory of collections that another process has erased: for every sweep. */
  forgetErased(): Promise<void>
  readonly faceStore: FaceStore
  readonly changeLog: ChangeLog
  readonly erasures: ErasureList
}

interface Options {
  /** Of whose embeddings new faces are. */
  readonly model?: EmbeddingModel
  /** How many faces of all collections together stay ready to be searched. */
  readonly facesInMemory?: number
  /** Makes the index of one collection, empty; it is closed when it is no longer kept. */
  readonly createIndex?: CreateIndex
}

export function createCollectionAccess(
  store: Store,
  keyRing: KeyRing,
  now: Clock,
  { model = embeddingModel, facesInMemory = 500_000, createIndex = createFacesInMemory }: Options = {},
): CollectionAccess {
  const collections = createTable<Collection>(store, 'collection')
  const faceStore = createFaceStore(store, keyRing, now)
  const changeLog = createChangeLog(store)
  const erasures = createErasureList(store)
  const precedence = createPrecedence(store)
  const turns = createTurns()
  const cache = createIndexCache(facesInMemory, closeInTurn(turns))
  const known = {
    store,
    collections,
    faceStore,
    changeLog,
    erasures,
    keyRing,
    cache,
    model,
    createIndex,
    now,
  }

  /** To be called in the collection's turn. */
  async function work<T>(
    accountId: string,
    collectionId: string,
    job: (collection: OpenCollection) => Promise<T>,
  ): Promise<T> {
    await precedence.giveWay(accountId, collectionId)
    const read = await readWithModel(known, accountId, collectionId)
    const collection = openCollection(known, accountId, collectionId, read)
    try {
      return await job(collection)
    } finally {
      if (!collection.exists) cache.forget(collection.place)
    }
  }

  /** The answer; undefined where somebody else was quicker. */
  function attempt<T>(accountId: string, collectionId: string, decide: Decide<T>) {
    return work(accountId, collectionId, async (collection) => {
      const { answer, change } = await decide(collection)
      const holds = change === undefined || (await store.commit(change.writes, change.guards))
      return holds ? { answer } : undefined
    })
  }

  /**
   * [Note: A turn is kept until it is done] So the first to come is the first to be done, and each process stands against
   * the others with one decision at a time.
   */
  async function persist<T>(accountId: string, collectionId: string, decide: Decide<T>): Promise<T> {
    let losses = 0
    const decided = await contended(async () => {
      const found = await attempt(accountId, collectionId, decide)
      if (found === undefined && ++losses >= claimedAfterLosses)
        await precedence.claim(accountId, collectionId)
      return found
    }, busy).finally(() => precedence.release(accountId, collectionId))
    return decided.answer
  }

  return {
    use: (accountId, collectionId, job) =>
      turns.take(turnOf(accountId, collectionId), () => work(accountId, collectionId, job)),
    change: (accountId, collectionId, decide) =>
      turns.take(turnOf(accountId, collectionId), () => persist(accountId, collectionId, decide)),
    find: (accountId, collectionId) => collections.get(accountId, collectionId),
    list: (accountId) => collections.list(accountId),
    async forgetErased() {
      for (const place of cache.places()) {
        const record = await collections.get(place.accountId, place.collectionId)
        if (record?.galleryId !== place.galleryId) cache.forget(place)
      }
    },
    faceStore,
    changeLog,
    erasures,
  }
}

function busy(): Problem {
  return new Problem('overloaded', 'The collection is busy. Try again shortly.', { retryAfterInSeconds: 2 })
}

function turnOf(accountId: string, collectionId: string): string {
  return `${accountId}/${collectionId}`
}

/** Closes an index that is no longer kept when its turn is over: until then somebody may be searching it. */
function closeInTurn(turns: Turns) {
  return ({ index, place }: KeptIndex): void => {
    const close = async () => index.close()
    void turns.take(turnOf(place.accountId, place.collectionId), close)
  }
}
