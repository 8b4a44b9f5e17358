import { setTimeout as pause } from 'node:timers/promises'
import type {
  CollectionRevision,
  FaceIndex,
  IndexSources,
} from '#server/features/recognition/index/face-index.ts'
import type { CreateGallery, LocalGallery } from '#server/features/recognition/index/gallery.ts'
import { IndexFull } from '#server/features/recognition/index/index-full.ts'
import { catchUp } from './catching-up.ts'
import { type CachedGallery, createGalleryCache, type GalleryCache } from './gallery-cache.ts'
import { loadFaces } from './loading.ts'
import { createRefusals } from './refusals.ts'
import { createTwoModelGallery } from './two-model-gallery.ts'

/** Reports a collection that uses most of the search threads' memory, or needs more than there is. */
export type TellRoom = (room: 'little' | 'none', collectionId: string) => void

interface Options extends IndexSources {
  readonly createGallery: CreateGallery
  /** How many faces are kept ready, across all collections. */
  readonly facesInMemory: number
  /** Receives each dropped gallery. A search may still be using it. */
  readonly dropped: (cached: CachedGallery) => void
  readonly tellRoom?: TellRoom | undefined
}

/** Dropped galleries are closed when their turns end. */
const roomComesInMilliseconds = 500
/** Memory counts as scarce if a collection cannot grow by this fraction. */
const growth = 0.25

/** Faces in this process's memory, loaded from the store on demand. Must be called in the collection's turn. */
export function createMemoryIndex(options: Options): FaceIndex {
  const { facesInMemory, dropped, tellRoom } = options
  const cache = createGalleryCache(facesInMemory, dropped)
  const refusals = createRefusals()

  /**
   * [Note: What does not fit is refused at once] Loading a collection that does not fit takes as long as loading one that does,
   * and every call would wait for it.
   */
  async function unlessFull(
    collection: CollectionRevision,
    work: () => Promise<LocalGallery>,
  ): Promise<LocalGallery> {
    const { place } = collection
    try {
      const gallery = await work()
      refusals.end(place)
      return gallery
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
    async open(collection) {
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
      const cached = cache.get(place)
      if (cached === undefined) return true
      // Assumes that each unread change added a face.
      const missed = Math.max(0, revision - cached.revision)
      return cached.gallery.hasRoomFor?.(missed + count) ?? true
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
  cache: GalleryCache,
  { place, key, revision }: CollectionRevision,
): Promise<LocalGallery | undefined> {
  const cached = cache.get(place)
  if (cached === undefined || cached.gallery.isLost) return undefined
  if (!(await catchUp(cached, revision, { changeLog, faceStore, place, key }))) return undefined
  await cached.gallery.settle()
  cache.makeRoom()
  return cached.gallery
}

async function read(
  options: Options,
  cache: GalleryCache,
  collection: CollectionRevision,
): Promise<LocalGallery> {
  const { place, revision } = collection
  cache.forget(place)
  const gallery = await loadWhereRoomIs(options, cache, collection)
  cache.keep({ place, gallery, revision })
  const more = Math.ceil(gallery.comparableCount * growth)
  if (gallery.hasRoomFor?.(more) === false) options.tellRoom?.('little', place.collectionId)
  return gallery
}

/** The collection in use takes precedence over all others. */
async function loadWhereRoomIs(
  options: Options,
  cache: GalleryCache,
  { place, key }: CollectionRevision,
): Promise<LocalGallery> {
  const source = { faceStore: options.faceStore, place, key }
  try {
    return await loadFaces(emptyGallery(options), source)
  } catch (error) {
    if (!(error instanceof IndexFull) || !cache.forgetOthers(place)) throw error
    await pause(roomComesInMilliseconds)
    return await loadFaces(emptyGallery(options), source)
  }
}

function emptyGallery({ createGallery, model, formerModel }: Options): LocalGallery {
  return formerModel === undefined
    ? createGallery(model)
    : createTwoModelGallery(createGallery, model, formerModel)
}
