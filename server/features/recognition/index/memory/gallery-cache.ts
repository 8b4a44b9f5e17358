import type { LocalGallery } from '#server/features/recognition/index/gallery.ts'
import type { Place } from '#server/features/recognition/store/face-store.ts'

/** A cached gallery and its revision. */
export interface CachedGallery {
  readonly place: Place
  readonly gallery: LocalGallery
  revision: number
}

/** Galleries cached in memory, one per collection. */
export interface GalleryCache {
  /** A re-created collection's old gallery is dropped. */
  get(place: Place): CachedGallery | undefined
  /** Stores a gallery, replacing the previous one. */
  keep(cached: CachedGallery): void
  /** Must be called after a gallery grows. May drop others. */
  makeRoom(): void
  forget(place: Place): void
  /** Drops all other collections. Returns false if there are none. */
  forgetOthers(place: Place): boolean
  places(): Place[]
}

/** Even an empty gallery takes the memory of a few faces. */
const leastCost = 16
const costOf = ({ gallery }: CachedGallery) => Math.max(leastCost, gallery.size)
const keyOf = ({ accountId, collectionId }: Place) => `${accountId}/${collectionId}`

/**
 * A least-recently-used cache, limited by the total number of faces. The gallery in use is kept however large it is.
 * `dropped` receives each removed gallery, which a search may still be using.
 */
export function createGalleryCache(
  mostFaces: number,
  dropped: (cached: CachedGallery) => void,
): GalleryCache {
  const cached = new Map<string, CachedGallery>()

  function forget(place: Place): void {
    const entry = cached.get(keyOf(place))
    if (entry === undefined) return
    cached.delete(keyOf(place))
    dropped(entry)
  }

  function makeRoom(): void {
    let faces = [...cached.values()].reduce((sum, entry) => sum + costOf(entry), 0)
    for (const entry of cached.values()) {
      if (faces <= mostFaces || cached.size === 1) return
      faces -= costOf(entry)
      forget(entry.place)
    }
  }

  return {
    get(place) {
      const entry = cached.get(keyOf(place))
      if (entry === undefined) return undefined
      if (entry.place.galleryId !== place.galleryId) {
        forget(place)
        return undefined
      }
      cached.delete(keyOf(place))
      cached.set(keyOf(place), entry)
      return entry
    },
    keep(entry) {
      forget(entry.place)
      cached.set(keyOf(entry.place), entry)
      makeRoom()
    },
    makeRoom,
    forget,
    forgetOthers(place) {
      const others = [...cached.values()].filter((entry) => keyOf(entry.place) !== keyOf(place))
      for (const entry of others) forget(entry.place)
      return others.length > 0
    },
    places: () => [...cached.values()].map(({ place }) => place),
  }
}
