import { type EmbeddingModel, embeddingModel, type SecondModel } from '#models/rules/embedding.ts'
import type { FaceIndex, IndexSources } from '#server/features/recognition/index/face-index.ts'
import type { CreateGallery } from '#server/features/recognition/index/gallery.ts'
import { chooseIndex, type FaceIndexes } from '#server/features/recognition/index/index-choice.ts'
import type { CachedGallery } from '#server/features/recognition/index/memory/gallery-cache.ts'
import { createMemoryGallery } from '#server/features/recognition/index/memory/memory-gallery.ts'
import { createMemoryIndex, type TellRoom } from '#server/features/recognition/index/memory/memory-index.ts'
import {
  createPostgresIndex,
  type FaceServers,
} from '#server/features/recognition/index/postgres/postgres-index.ts'
import { type ChangeLog, createChangeLog } from '#server/features/recognition/store/change-log.ts'
import type { Collection, IndexKind } from '#server/features/recognition/store/collection.ts'
import { createErasureList, type ErasureList } from '#server/features/recognition/store/erasure-list.ts'
import { createFaceStore, type FaceStore } from '#server/features/recognition/store/face-store.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { sameBytes } from '#server/platform/store/same-bytes.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, type GuardedRecord, type Table } from '#server/platform/store/tables.ts'
import { createKeyedMutex, type KeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { canonicalIdentity, isSameIdentity, mayHaveOtherForms } from '#shared/identity/identity-text.ts'
import { Problem } from '#shared/problem.ts'
import type { CollectionChange } from './collection-change.ts'
import { type CollectionReader, openReader } from './collection-reader.ts'
import { type CollectionSources, type CollectionState, stateFrom } from './collection-state.ts'
import { type CollectionWriter, openWriter } from './collection-writer.ts'
import { createPrecedence, type Precedence } from './precedence.ts'

/** A low number, because each decision may search many faces. */
const mostTries = 20
const claimedAfterLosses = 3

/** A result, and the writes that put it into effect. */
export interface Decision<T> {
  readonly answer: T
  readonly change?: CollectionChange | undefined
}

/** Works on a collection as it was read. Its changes take effect when they are committed. */
export type CollectionWork<T> = (collection: CollectionReader, writer: CollectionWriter) => Promise<T>

/** The only access to a collection's faces. A collection that does not exist appears new and empty. */
export interface CollectionAccess {
  /** Reads a collection: at once if its index is shared, otherwise in its turn. */
  read<T>(
    accountId: string,
    collectionId: string,
    work: (collection: CollectionReader) => Promise<T>,
  ): Promise<T>
  /** Works on a collection in a critical section within this process. The work commits its changes itself. */
  use<T>(accountId: string, collectionId: string, work: CollectionWork<T>): Promise<T>
  /**
   * Decides and writes in one critical section, even across processes: if another process changed the collection before the
   * write, the decision is repeated.
   * @throws {Problem} overloaded after repeated conflicts
   */
  change<T>(accountId: string, collectionId: string, decide: CollectionWork<Decision<T>>): Promise<T>
  /**
   * With a shared index, works before the collection's turn, concurrently with other calls. Returns the work for the turn: it
   * hands on the early answer if the collection has not changed. Otherwise it works again, and its search covers only newer
   * faces. For other indexes, whose turns are short, this is the work itself.
   */
  ahead<T>(accountId: string, collectionId: string, work: CollectionWork<T>): Promise<CollectionWork<T>>
  find(accountId: string, collectionId: string): Promise<Collection | undefined>
  list(accountId: string): AsyncIterable<Collection>
  /** Like `list`, but skips collections that cannot be read. */
  listReadable(accountId: string): AsyncIterable<Collection>
  readonly indexes: FaceIndexes
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
  /** Creates an empty gallery for one collection. It is closed when it is dropped from memory. */
  readonly createGallery?: CreateGallery | undefined
  /** PostgreSQL servers that may store faces. */
  readonly faceServers?: FaceServers | undefined
  /** The index for collections that were never moved; in memory if absent. */
  readonly faceIndex?: IndexKind | undefined
  readonly tellRoom?: TellRoom | undefined
}

/** The dependencies for reading, changing and caching every collection's faces. */
interface AccessSources extends CollectionSources {
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
  const indexes = createIndexes(options, { changeLog, faceStore, model, formerModel }, mutex)
  const stored = { store, collections, faceStore, changeLog, erasures, precedence, indexes }
  const sources: AccessSources = { ...stored, keyRing, model, secondModel, formerModel, now }

  const use = <T>(accountId: string, collectionId: string, work: CollectionWork<T>) =>
    mutex.runExclusive(turnKey(accountId, collectionId), async () =>
      useNow(sources, accountId, await storedId(collections, accountId, collectionId), (state) =>
        work(openReader(sources, state), openWriter(sources, state)),
      ),
    )

  return {
    use,
    async read(accountId, collectionId, work) {
      const shared = await readShared(sources, accountId, collectionId)
      return shared === undefined ? use(accountId, collectionId, work) : work(openReader(sources, shared))
    },
    change: (accountId, collectionId, decide) =>
      mutex.runExclusive(turnKey(accountId, collectionId), async () =>
        changeNow(sources, accountId, await storedId(collections, accountId, collectionId), decide),
      ),
    async ahead(accountId, collectionId, work) {
      const shared = await readShared(sources, accountId, collectionId)
      return shared === undefined ? work : workAhead(sources, shared, work)
    },
    find: async (accountId, collectionId) =>
      collections.get(accountId, await storedId(collections, accountId, collectionId)),
    list: (accountId) => collections.list(accountId),
    listReadable: (accountId) => collections.listReadable(accountId),
    indexes,
    faceStore,
    changeLog,
    erasures,
  }
}

function createIndexes(options: Options, sources: IndexSources, mutex: KeyedMutex): FaceIndexes {
  const { facesInMemory = 500_000, createGallery = createMemoryGallery } = options
  const { faceServers, faceIndex = 'memory', tellRoom } = options
  const inMemory = { createGallery, facesInMemory, tellRoom, dropped: closeInTurn(mutex) }
  return {
    memory: createMemoryIndex({ ...sources, ...inMemory }),
    postgres: faceServers && createPostgresIndex({ ...sources, ...faceServers, now: Date.now }),
    usual: faceIndex,
  }
}

/** The state of a collection that a shared index searches; undefined if it does not exist, or another index searches it. */
async function readShared(
  sources: AccessSources,
  accountId: string,
  given: string,
): Promise<CollectionState | undefined> {
  const { indexes, collections } = sources
  if (indexes.postgres === undefined) return undefined
  const collectionId = await storedId(collections, accountId, given)
  const read = await readCollection(sources, accountId, collectionId)
  if (read === undefined || !indexes[read.value.faceIndex ?? indexes.usual]?.isShared) return undefined
  return stateFrom(sources, accountId, collectionId, read)
}

/** [Note: Asked again, scanned on] */
async function workAhead<T>(
  sources: AccessSources,
  state: CollectionState,
  work: CollectionWork<T>,
): Promise<CollectionWork<T>> {
  const early = await work(openReader(sources, state), openWriter(sources, state))
  return async (collection, writer) =>
    sameBytes(writer.unchanged.value, state.unchanged.value) ? early : work(collection, writer)
}

/** Must be called in the collection's turn, like `changeNow`. */
async function useNow<T>(
  sources: AccessSources,
  accountId: string,
  collectionId: string,
  work: (state: CollectionState) => Promise<T>,
): Promise<T> {
  await sources.precedence.giveWay(accountId, collectionId)
  const read = await readCollection(sources, accountId, collectionId)
  const state = stateFrom(sources, accountId, collectionId, read)
  try {
    return await work(state)
  } finally {
    if (!state.exists) sources.indexes.memory.forget(state.place)
  }
}

/** A collection that names another model but has no faces left counts as new, and accepts any model. */
async function readCollection(
  { collections, faceStore, model }: AccessSources,
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
  sources: AccessSources,
  accountId: string,
  collectionId: string,
  decide: CollectionWork<Decision<T>>,
): Promise<T> {
  const { store, precedence } = sources
  let losses = 0
  const decided = await retryOnConflict(
    async () => {
      const { answer, holds } = await useNow(sources, accountId, collectionId, async (state) => {
        const { answer, change } = await decide(openReader(sources, state), openWriter(sources, state))
        const holds = change === undefined || (await store.commit(change.writes, change.guards))
        if (holds && change?.revision !== undefined) await followAtOnce(sources, state, change.revision)
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
async function followAtOnce(
  { indexes }: AccessSources,
  { record, place, key }: CollectionState,
  revision: number,
): Promise<void> {
  const index: FaceIndex = chooseIndex(indexes, record.faceIndex)
  if (!index.isShared) return
  await index.open({ place, key: key(), revision }).catch(() => undefined)
}

function busy(): Problem {
  return new Problem('overloaded', 'The collection is busy. Try again shortly.', { retryAfterInSeconds: 2 })
}

/** [Note: Equal names] Equal IDs share one turn, so that only one collection is ever created. */
function turnKey(accountId: string, collectionId: string): string {
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

/** Closes a dropped gallery at the end of its turn, because a search may still be using it. */
function closeInTurn(mutex: KeyedMutex) {
  return ({ gallery, place }: CachedGallery): void => {
    const close = async () => gallery.close()
    void mutex.runExclusive(turnKey(place.accountId, place.collectionId), close)
  }
}
