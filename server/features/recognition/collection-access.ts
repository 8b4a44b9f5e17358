import { type EmbeddingModel, embeddingModel, type SecondModel } from '#models/rules/embedding.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, type Read, type Table } from '#server/platform/store/tables.ts'
import { createKeyedMutex, type KeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { canonicalIdentity, isSameIdentity, mayHaveOtherForms } from '#shared/identity/identity-text.ts'
import { Problem } from '#shared/problem.ts'
import type { Collection } from './collection.ts'
import { createErasureList, type ErasureList } from './erasure/erasure-list.ts'
import { type ChangeLog, createChangeLog } from './faces/change-log.ts'
import type { Change } from './faces/changed-faces.ts'
import { createMemoryIndex, type TellRoom } from './faces/collections-in-memory.ts'
import { createFaceStore, type FaceStore, type Place } from './faces/face-store.ts'
import { createFacesInMemory } from './faces/faces-in-memory.ts'
import type { KeptIndex } from './faces/index-cache.ts'
import { chosenIndex, type FaceIndexes } from './faces/index-choice.ts'
import type { FaceIndex, IndexKind, IndexSources } from './faces/indexed-collections.ts'
import { type Collected, type OpenCollection, openCollection } from './faces/open-collection.ts'
import type { CreateIndex } from './faces/searchable-faces.ts'
import { createServerIndex, type FaceServers } from './partitions/collections-on-servers.ts'
import { createPrecedence, type Precedence } from './precedence.ts'

/** Few: each decision may search many faces. */
const mostTries = 20
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
  /**
   * Works on a collection ahead of its turn, next to others, where its index is shared: what is searched so is searched in turn only among what
   * came since. Elsewhere nothing is done: the turn comes soon enough.
   */
  ahead(
    accountId: string,
    collectionId: string,
    work: (collection: OpenCollection) => Promise<unknown>,
  ): Promise<void>
  find(accountId: string, collectionId: string): Promise<Collection | undefined>
  list(accountId: string): AsyncIterable<Collection>
  /** The same, but without those that cannot be read. */
  listReadable(accountId: string): AsyncIterable<Collection>
  /** Forgets what is in memory of collections that another process has erased: for every sweep. */
  forgetErased(): Promise<void>
  /** Removes what the indexes keep of a collection outside of the store. @throws {Problem} search_incomplete where a server is away */
  eraseFromIndexes(place: Place): Promise<void>
  /** What an index keeps, for whoever moves faces; undefined where it is not set. */
  indexOf(kind: IndexKind): FaceIndex | undefined
  readonly faceStore: FaceStore
  readonly changeLog: ChangeLog
  readonly erasures: ErasureList
}

interface Options {
  /** Of whose embeddings new faces are. */
  readonly model?: EmbeddingModel
  /** Of whose second embeddings they are; undefined where they have none. */
  readonly secondModel?: SecondModel | undefined
  /** Of the embeddings that faces from before have: see `withFormer`. */
  readonly formerModel?: EmbeddingModel | undefined
  /** How many faces of all collections together stay ready to be searched. */
  readonly facesInMemory?: number | undefined
  /** Makes the index of one collection, empty; it is closed when it is no longer kept. */
  readonly createIndex?: CreateIndex | undefined
  /** PostgreSQL servers that may keep faces. */
  readonly faceServers?: FaceServers | undefined
  /** Where the faces of collections are searched that were never moved; in memory where absent. */
  readonly faceIndex?: IndexKind | undefined
  readonly tellRoom?: TellRoom | undefined
}

/** What the faces of every collection are read, changed and kept with. */
interface Known extends Collected {
  readonly store: Store
  readonly precedence: Precedence
}

export function createCollectionAccess(
  store: Store,
  keyRing: KeyRing,
  now: Clock,
  options: Options = {},
): CollectionAccess {
  const { model = embeddingModel, secondModel, formerModel } = options
  const mutex = createKeyedMutex()
  const collections = createTable<Collection>(store, 'collection')
  const faceStore = createFaceStore(store, keyRing, now)
  const changeLog = createChangeLog(store)
  const erasures = createErasureList(store)
  const precedence = createPrecedence(store)
  const indexes = indexesOf(options, { changeLog, faceStore, model, formerModel }, mutex)
  const kept = { store, collections, faceStore, changeLog, erasures, precedence, indexes }
  const known: Known = { ...kept, keyRing, model, secondModel, formerModel, now }

  return {
    use: (accountId, collectionId, work) =>
      mutex.runExclusive(turnOf(accountId, collectionId), async () =>
        useNow(known, accountId, await storedId(collections, accountId, collectionId), work),
      ),
    change: (accountId, collectionId, decide) =>
      mutex.runExclusive(turnOf(accountId, collectionId), async () =>
        changeNow(known, accountId, await storedId(collections, accountId, collectionId), decide),
      ),
    ahead: async (accountId, collectionId, work) =>
      workAhead(known, accountId, await storedId(collections, accountId, collectionId), work),
    find: async (accountId, collectionId) =>
      collections.get(accountId, await storedId(collections, accountId, collectionId)),
    list: (accountId) => collections.list(accountId),
    listReadable: (accountId) => collections.listReadable(accountId),
    async forgetErased() {
      for (const place of indexes.memory.places()) {
        // One that cannot be read any more is not searched either.
        const record = await collections.get(place.accountId, place.collectionId).catch(() => undefined)
        if (record?.galleryId !== place.galleryId) indexes.memory.forget(place)
      }
    },
    async eraseFromIndexes(place) {
      await indexes.memory.erase(place)
      await indexes.postgres?.erase(place)
    },
    indexOf: (kind) => indexes[kind],
    faceStore,
    changeLog,
    erasures,
  }
}

function indexesOf(options: Options, sources: IndexSources, mutex: KeyedMutex): FaceIndexes {
  const { facesInMemory = 500_000, createIndex = createFacesInMemory } = options
  const { faceServers, faceIndex = 'memory', tellRoom } = options
  const inMemory = { createIndex, facesInMemory, tellRoom, dropped: closeInTurn(mutex) }
  return {
    memory: createMemoryIndex({ ...sources, ...inMemory }),
    postgres: faceServers && createServerIndex({ ...sources, ...faceServers, now: Date.now }),
    usual: faceIndex,
  }
}

/** [Note: Asked again, scanned on] */
async function workAhead(
  known: Known,
  accountId: string,
  collectionId: string,
  work: (collection: OpenCollection) => Promise<unknown>,
): Promise<void> {
  const read = await readCollection(known, accountId, collectionId)
  if (read === undefined || !chosenIndex(known.indexes, read.value.faceIndex).isShared) return
  await work(openCollection(known, accountId, collectionId, read))
}

/** To be called in the collection's turn, as is `changeNow`. */
async function useNow<T>(
  known: Known,
  accountId: string,
  collectionId: string,
  work: (collection: OpenCollection) => Promise<T>,
): Promise<T> {
  await known.precedence.giveWay(accountId, collectionId)
  const read = await readCollection(known, accountId, collectionId)
  const collection = openCollection(known, accountId, collectionId, read)
  try {
    return await work(collection)
  } finally {
    if (!collection.exists) known.indexes.memory.forget(collection.place)
  }
}

/** One that names another model but has no face left is of none, and takes any. */
async function readCollection(
  { collections, faceStore, model }: Known,
  accountId: string,
  collectionId: string,
): Promise<Read<Collection> | undefined> {
  const read = await collections.read(accountId, collectionId)
  if (read === undefined || (read.value.embeddingModel ?? model) === model) return read
  const place = { accountId, collectionId, galleryId: read.value.galleryId }
  for await (const _face of faceStore.heads(place)) return read
  return { ...read, value: { ...read.value, embeddingModel: undefined, secondModel: undefined } }
}

/**
 * [Note: A turn is kept until it is done] So the first to come is the first to be done, and each process stands against
 * the others with one decision at a time.
 */
async function changeNow<T>(
  known: Known,
  accountId: string,
  collectionId: string,
  decide: Decide<T>,
): Promise<T> {
  const { store, precedence } = known
  let losses = 0
  const decided = await retryOnConflict(
    async () => {
      const { answer, holds } = await useNow(known, accountId, collectionId, async (collection) => {
        const { answer, change } = await decide(collection)
        const holds = change === undefined || (await store.commit(change.writes, change.guards))
        if (holds && change?.revision !== undefined) await followAtOnce(collection, change.revision)
        return { answer, holds }
      })
      if (holds) return { answer }
      if (++losses >= claimedAfterLosses) await precedence.claim(accountId, collectionId)
      return undefined
    },
    busy,
    mostTries,
  ).finally(() => precedence.release(accountId, collectionId))
  return decided.answer
}

/**
 * [Note: The index follows at once] What is deleted is gone from the servers of a shared index when the call is answered. It is done all the
 * same where one of them is away: whoever searches next makes up for it, or is refused.
 */
async function followAtOnce(collection: OpenCollection, revision: number): Promise<void> {
  const { index } = collection
  if (!index.isShared) return
  await index.ready({ ...collection.indexed(), revision }).catch(() => undefined)
}

function busy(): Problem {
  return new Problem('overloaded', 'The collection is busy. Try again shortly.', { retryAfterInSeconds: 2 })
}

/** [Note: Equal names] Ids that are equal share one turn, so that only one of them is ever made. */
function turnOf(accountId: string, collectionId: string): string {
  return `${accountId}/${canonicalIdentity(collectionId)}`
}

/**
 * The id of a collection as it is stored: the given text, its canonical form, or any form that 0.2.0 stored, of several the oldest. The given text if
 * there is none.
 */
async function storedId(
  collections: Pick<Table<Collection>, 'get' | 'listReadable'>,
  accountId: string,
  given: string,
): Promise<string> {
  if (!mayHaveOtherForms(given)) return given
  for (const form of new Set([given, canonicalIdentity(given)]))
    if ((await collections.get(accountId, form)) !== undefined) return form
  const equal = (await allOf(collections.listReadable(accountId))).filter((one) =>
    isSameIdentity(one.collectionId, given),
  )
  return equal.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))[0]?.collectionId ?? given
}

/** Closes an index that is no longer kept when its turn is over: until then somebody may be searching it. */
function closeInTurn(mutex: KeyedMutex) {
  return ({ index, place }: KeptIndex): void => {
    const close = async () => index.close()
    void mutex.runExclusive(turnOf(place.accountId, place.collectionId), close)
  }
}
