import { setTimeout as pause } from 'node:timers/promises'
import { IndexFull } from '#server/features/recognition/search/index-full.ts'
import { catchUp } from './catching-up.ts'
import { createFacesOfTwoModels } from './faces-of-two-models.ts'
import { createIndexCache, type IndexCache, type KeptIndex } from './index-cache.ts'
import type { FaceIndex, IndexedCollection, IndexSources } from './indexed-collections.ts'
import { loadFaces } from './loading.ts'
import { createRefusals } from './refusals.ts'
import type { CreateIndex, SearchableFaces } from './searchable-faces.ts'

/** Told where a collection takes most of what the search threads hold, or more than they do. */
export type TellRoom = (room: 'little' | 'none', collectionId: string) => void

interface Options extends IndexSources {
  readonly createIndex: CreateIndex
  /** How many faces of all collections together stay ready. */
  readonly facesInMemory: number
  /** Told of each index that is no longer kept; somebody may still be using it. */
  readonly dropped: (kept: KeptIndex) => void
  readonly tellRoom?: TellRoom | undefined
}

/** Those that are dropped are closed when their turns are over. */
const roomComesInMilliseconds = 500
/** There is little room left where a collection cannot grow by this part of it. */
const growth = 0.25

/** Faces in the memory of this process, read from the store where they are not there. To be asked in the turn of the collection. */
export function createMemoryIndex(options: Options): FaceIndex {
  const { facesInMemory, dropped, tellRoom } = options
  const cache = createIndexCache(facesInMemory, dropped)
  const refusals = createRefusals()

  /** [Note: What does not fit is refused at once] Reading it takes as long as where it does fit, and every call would wait for it. */
  async function unlessFull(
    collection: IndexedCollection,
    work: () => Promise<SearchableFaces>,
  ): Promise<SearchableFaces> {
    const { place } = collection
    try {
      const index = await work()
      refusals.end(place)
      return index
    } catch (error) {
      if (error instanceof IndexFull) {
        cache.forget(place)
        refusals.begin(place)
        tellRoom?.('none', place.collectionId)
      }
      throw error
    }
  }

  return {
    isShared: false,
    async ready(collection) {
      const { place } = collection
      if (refusals.isDue(place))
        refusals.lookAgain(place, () => unlessFull(collection, () => read(options, cache, collection)))
      if (refusals.has(place)) throw new IndexFull()
      return unlessFull(
        collection,
        async () => (await caughtUp(options, cache, collection)) ?? read(options, cache, collection),
      )
    },
    hasRoomFor({ place, revision }, count) {
      if (refusals.has(place)) return false
      const kept = cache.get(place)
      if (kept === undefined) return true
      // Of a change that has not been read yet it is taken that a face came.
      const missed = Math.max(0, revision - kept.revision)
      return kept.index.hasRoomFor?.(missed + count) ?? true
    },
    forget: cache.forget,
    places: cache.places,
    async erase(place) {
      cache.forget(place)
      refusals.end(place)
    },
    async eraseAll() {
      for (const place of cache.places()) cache.forget(place)
    },
  }
}

async function caughtUp(
  { changeLog, faceStore }: Options,
  cache: IndexCache,
  { place, key, revision }: IndexedCollection,
): Promise<SearchableFaces | undefined> {
  const kept = cache.get(place)
  if (kept === undefined || kept.index.isLost) return undefined
  if (!(await catchUp(kept, revision, { changeLog, faceStore, place, key }))) return undefined
  await kept.index.settle()
  cache.makeRoom()
  return kept.index
}

async function read(
  options: Options,
  cache: IndexCache,
  collection: IndexedCollection,
): Promise<SearchableFaces> {
  const { place, revision } = collection
  cache.forget(place)
  const index = await loadWhereRoomIs(options, cache, collection)
  cache.keep({ place, index, revision })
  const more = Math.ceil(index.comparableCount * growth)
  if (index.hasRoomFor?.(more) === false) options.tellRoom?.('little', place.collectionId)
  return index
}

/** The collection in use goes before all others. */
async function loadWhereRoomIs(
  options: Options,
  cache: IndexCache,
  { place, key }: IndexedCollection,
): Promise<SearchableFaces> {
  const source = { faceStore: options.faceStore, place, key }
  try {
    return await loadFaces(emptyIndex(options), source)
  } catch (error) {
    if (!(error instanceof IndexFull) || !cache.forgetOthers(place)) throw error
    await pause(roomComesInMilliseconds)
    return await loadFaces(emptyIndex(options), source)
  }
}

function emptyIndex({ createIndex, model, formerModel }: Options): SearchableFaces {
  return formerModel === undefined
    ? createIndex(model)
    : createFacesOfTwoModels(createIndex, model, formerModel)
}
