import type { Place } from './face-store.ts'
import type { SearchableFaces } from './searchable-faces.ts'

/** An index that is kept, and the revision of its gallery that it shows. */
export interface KeptIndex {
  readonly place: Place
  readonly index: SearchableFaces
  revision: number
}

/** Indexes that are kept in memory, one for each collection. */
export interface IndexCache {
  /** That of this very gallery; one of a collection that was made anew since is forgotten. */
  get(place: Place): KeptIndex | undefined
  /** Keeps an index, in place of the one before. */
  keep(kept: KeptIndex): void
  /** To be called when one has grown: others may have to go for it. */
  makeRoom(): void
  forget(place: Place): void
  /** Forgets those of all other collections; false where there are none. */
  forgetOthers(place: Place): boolean
  places(): Place[]
}

/** An index takes memory for some faces before it has any. */
const leastCost = 16
const costOf = ({ index }: KeptIndex) => Math.max(leastCost, index.size)
const keyOf = ({ accountId, collectionId }: Place) => `${accountId}/${collectionId}`

/**
 * A least-recently-used cache of so many faces in all; the gallery in use stays, however large.
 * `dropped` is called for each that is no longer kept; somebody may still be using it.
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
