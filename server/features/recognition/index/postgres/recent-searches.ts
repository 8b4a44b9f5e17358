import { createHash } from 'node:crypto'

/** The result of searching one gallery up to a given row. */
export interface RecentSearch {
  readonly until: number
  /** The numbers of the rows that reached the cosine. */
  readonly sequences: readonly number[]
}

/**
 * Searches of the last seconds. [Note: Asked again, scanned on] A call that wants to enrol a new face searches once in
 * advance, without a lock, again in the turn of the collection, and once more if another process was faster. Only the
 * first search scans every code. The later ones scan the newer rows and the previous matches, which may have been
 * removed.
 */
export interface RecentSearches {
  get(search: string): RecentSearch | undefined
  keep(search: string, found: RecentSearch): void
}

const mostKept = 256
/** A search with more matches than this is not cached, because all of them would have to be opened again. */
const mostRows = 2000
const keptForMilliseconds = 30_000

export function createRecentSearches(now: () => number): RecentSearches {
  const kept = new Map<string, RecentSearch & { readonly goneAt: number }>()
  return {
    get(search) {
      const found = kept.get(search)
      return found !== undefined && found.goneAt > now() ? found : undefined
    },
    keep(search, found) {
      kept.delete(search)
      if (found.sequences.length > mostRows) return
      kept.set(search, { ...found, goneAt: now() + keptForMilliseconds })
      const oldest = kept.keys().next()
      if (kept.size > mostKept && oldest.done !== true) kept.delete(oldest.value)
    },
  }
}

/** A short string that identifies a query and its place without revealing it. */
export function searchName(place: number, gallery: number, embedding: Float32Array, least: number): string {
  const bytes = new Uint8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength)
  const hash = createHash('sha256').update(`${place}/${gallery}/${least}/`).update(bytes)
  return hash.digest('base64url')
}
