import type { SearchableFaces } from '#server/features/recognition/index/gallery.ts'
import type { Place } from '#server/features/recognition/store/face-store.ts'

/** A cached index and its gallery's revision. */
export interface KeptIndex {
  readonly place: Place
  readonly index: SearchableFaces
  revision: number
}

/** Indexes cached in memory, one per collection. */
export interface IndexCache {
  /** The index for exactly this gallery. A re-created collection's old index is dropped. */
  get(place: Place): KeptIndex | undefined
  /** Stores an index, replacing the previous one. */
  keep(kept: KeptIndex): void
  /** Must be called after an index grows. May drop other indexes. */
  makeRoom(): void
  forget(place: Place): void
  /** Drops all other collections. Returns false if there are none. */
  forgetOthers(place: Place): boolean
  places(): Place[]
}

/** Even an empty index takes the memory of a few faces. */
const leastCost = 16
const costOf = ({ index }: KeptIndex) => Math.max(leastCost, index.size)
const keyOf = ({ accountId, collectionId }: Place) => `${accountId}/${collectionId}`

/**
 * A least-recently-used cache, limited by the total number of faces. The gallery in use is kept however large it is.
 * `dropped` receives each removed index, which a search may still be using.
 */
export function createIndexCache(mostFaces: number, dropped: (kept: KeptIndex) => void): IndexCache {
  const kept = new Map<string, KeptIndex>()

  function forget(place: Place): void {
    const entry = kept.get(keyOf(place))
    if (entry === undefined) return
    kept.delete(keyOf(place))
    dropped(entry)
  }

  function makeRoom(): void {
    let faces = [...kept.values()].reduce((sum, entry) => sum + costOf(entry), 0)
    for (const entry of kept.values()) {
      if (faces <= mostFaces || kept.size === 1) return
      faces -= costOf(entry)
      forget(entry.place)
    }
  }

  return {
    get(place) {
      const entry = kept.get(keyOf(place))
      if (entry === undefined) return undefined
      if (entry.place.galleryId !== place.galleryId) {
        forget(place)
        return undefined
      }
      kept.delete(keyOf(place))
      kept.set(keyOf(place), entry)
      return entry
    },
    keep(entry) {
      forget(entry.place)
      kept.set(keyOf(entry.place), entry)
      makeRoom()
    },
    makeRoom,
    forget,
    forgetOthers(place) {
      const others = [...kept.values()].filter((entry) => keyOf(entry.place) !== keyOf(place))
      for (const entry of others) forget(entry.place)
      return others.length > 0
    },
    places: () => [...kept.values()].map(({ place }) => place),
  }
}
