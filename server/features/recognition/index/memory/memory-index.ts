import { setTimeout as pause } from 'node:timers/promises'
import type {
  FaceIndex,
  IndexedCollection,
  IndexSources,
} from '#server/features/recognition/index/face-index.ts'
import type { CreateIndex, SearchableFaces } from '#server/features/recognition/index/gallery.ts'
import { IndexFull } from '#server/features/recognition/index/index-full.ts'
import { catchUp } from './catching-up.ts'
import { createIndexCache, type IndexCache, type KeptIndex } from './gallery-cache.ts'
import { loadFaces } from './loading.ts'
import { createRefusals } from './refusals.ts'
import { createFacesOfTwoModels } from './two-model-gallery.ts'

/** Reports a collection that uses most of the search threads' memory, or needs more than there is. */
export type TellRoom = (room: 'little' | 'none', collectionId: string) => void

interface Options extends IndexSources {
  readonly createIndex: CreateIndex
  /** How many faces are kept ready, across all collections. */
  readonly facesInMemory: number
  /** Receives each dropped index. A search may still be using it. */
  readonly dropped: (kept: KeptIndex) => void
  readonly tellRoom?: TellRoom | undefined
}

/** Dropped indexes are closed when their turns end. */
const roomComesInMilliseconds = 500
/** Memory counts as scarce if a collection cannot grow by this fraction. */
const growth = 0.25

/** Faces in this process's memory, loaded from the store on demand. Must be called in the collection's turn. */
export function createMemoryIndex(options: Options): FaceIndex {
  const { facesInMemory, dropped, tellRoom } = options
  const cache = createIndexCache(facesInMemory, dropped)
  const refusals = createRefusals()

  /**
   * [Note: What does not fit is refused at once] Loading a collection that does not fit takes as long as loading one that does,
   * and every call would wait for it.
   */
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
      // Assumes that each unread change added a face.
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

/** The collection in use takes precedence over all others. */
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
