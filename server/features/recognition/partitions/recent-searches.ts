import { createHash } from 'node:crypto'

/** What a search of one gallery has found, up to a row. */
export interface RecentSearch {
  readonly until: number
  /** The numbers of the rows that reached the cosine. */
  readonly sequences: readonly number[]
}

/**
 * Searches of the last seconds. [Note: Asked again, scanned on] Whoever wants to keep a face that is not there asks once ahead, without a
 * lock, and again in the turn of the collection; where another process was quicker, once more. Only the first one looks at every code: those
 * after it look at the rows that came since, and at what was found, which may have gone.
 */
export interface RecentSearches {
  get(search: string): RecentSearch | undefined
  keep(search: string, found: RecentSearch): void
}

const mostKept = 256
/** One that found more is made anew: it would be opened again for nothing. */
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

/** What is sought, and where, as a short text that tells nothing of it. */
export function searchName(place: number, gallery: number, embedding: Float32Array, least: number): string {
  const bytes = new Uint8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength)
  const hash = createHash('sha256').update(`${place}/${gallery}/${least}/`).update(bytes)
  return hash.digest('base64url')
}
