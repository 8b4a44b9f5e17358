import { type EmbeddingModel, embeddingModel, type SecondModel } from '#models/rules/embedding.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, type GuardedRecord, type Table } from '#server/platform/store/tables.ts'
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

/** A low number, because each decision may search many faces. */
const mostTries = 20
const claimedAfterLosses = 3

/** A result, and the writes that put it into effect. */
export interface Decision<T> {
  readonly answer: T
  readonly change?: Change
}

type Decide<T> = (collection: OpenCollection) => Promise<Decision<T>>

/** The only access to a collection's faces. */
export interface CollectionAccess {
  /** Works on a collection in a critical section within this process. A collection that does not exist appears new and empty. */
  use<T>(
    accountId: string,
    collectionId: string,
    work: (collection: OpenCollection) => Promise<T>,
  ): Promise<T>
  /**
   * Decides and writes in one critical section, even across processes: if another process changed the collection before the
   * write, the decision is repeated.
   * @throws {Problem} overloaded after repeated conflicts
   */
  change<T>(accountId: string, collectionId: string, decide: Decide<T>): Promise<T>
  /**
   * Searches a shared index before the collection's turn, concurrently with other calls, so that the search within the turn
   * covers only newer faces. No-op for other indexes, whose turns are short.
   */
  ahead(
    accountId: string,
    collectionId: string,
    work: (collection: OpenCollection) => Promise<unknown>,
  ): Promise<void>
  find(accountId: string, collectionId: string): Promise<Collection | undefined>
  list(accountId: string): AsyncIterable<Collection>
  /** Like `list`, but skips collections that cannot be read. */
  listReadable(accountId: string): AsyncIterable<Collection>
  /** Drops cached collections that another process has erased. Called in every sweep. */
  forgetErased(): Promise<void>
  /** Removes a collection's data from indexes outside the store. @throws {Problem} search_incomplete if a server does not answer */
  eraseFromIndexes(place: Place): Promise<void>
  /** The index of the given kind, for moving faces; undefined if it is not configured. */
  indexOf(kind: IndexKind): FaceIndex | undefined
  readonly faceStore: FaceStore
  readonly changeLog: ChangeLog
  readonly erasures: ErasureList
}

interface Options {
  /** The embedding model for new faces. */
  readonly model?: EmbeddingModel
  /** The model for their second embeddings; undefined if they have none. */
  readonly secondModel?: SecondModel | undefined
  /** The model for older faces; see `withFormer`. */
  readonly formerModel?: EmbeddingModel | undefined
  /** How many faces are kept ready for search, across all collections. */
  readonly facesInMemory?: number | undefined
  /** Creates an empty index for one collection. It is closed when it is dropped from memory. */
  readonly createIndex?: CreateIndex | undefined
  /** PostgreSQL servers that may store faces. */
  readonly faceServers?: FaceServers | undefined
  /** The index for collections that were never moved; in memory if absent. */
  readonly faceIndex?: IndexKind | undefined
  readonly tellRoom?: TellRoom | undefined
}

/** The dependencies for reading, changing and caching every collection's faces. */
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
        // A collection that can no longer be read is not searched.
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

/** Must be called in the collection's turn, like `changeNow`. */
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

/** A collection that names another model but has no faces left counts as new, and accepts any model. */
async function readCollection(
  { collections, faceStore, model }: Known,
  accountId: string,
  collectionId: string,
): Promise<GuardedRecord<Collection> | undefined> {
  const read = await collections.read(accountId, collectionId)
  if (read === undefined || (read.value.embeddingModel ?? model) === model) return read
  const place = { accountId, collectionId, galleryId: read.value.galleryId }
  for await (const _face of faceStore.heads(place)) return read
  return { ...read, value: { ...read.value, embeddingModel: undefined, secondModel: undefined } }
}

/**
 * [Note: A turn is kept until it is done] Calls therefore finish in order of arrival, and each process competes with the
 * others with only one decision at a time.
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
 * [Note: The index follows at once] By the time the call is answered, deleted faces are gone from a shared index's servers.
 * The deletion succeeds even if a server does not answer; the next search then either catches up or is refused.
 */
async function followAtOnce(collection: OpenCollection, revision: number): Promise<void> {
  const { index } = collection
  if (!index.isShared) return
  await index.ready({ ...collection.indexed(), revision }).catch(() => undefined)
}

function busy(): Problem {
  return new Problem('overloaded', 'The collection is busy. Try again shortly.', { retryAfterInSeconds: 2 })
}

/** [Note: Equal names] Equal IDs share one turn, so that only one collection is ever created. */
function turnOf(accountId: string, collectionId: string): string {
  return `${accountId}/${canonicalIdentity(collectionId)}`
}

/**
 * A collection's ID as stored: the given text, its canonical form, or any form that 0.2.0 stored. If there are several, the
 * oldest one. The given text if there are none.
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

/** Closes a dropped index at the end of its turn, because a search may still be using it. */
function closeInTurn(mutex: KeyedMutex) {
  return ({ index, place }: KeptIndex): void => {
    const close = async () => index.close()
    void mutex.runExclusive(turnOf(place.accountId, place.collectionId), close)
  }
}
