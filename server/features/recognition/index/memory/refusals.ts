import type { Place } from '#server/features/recognition/store/face-store.ts'

/** A collection that did not fit is not loaded again for this long. */
const lastsMilliseconds = 300_000

/** Collections that did not fit into a process's memory. */
export interface Refusals {
  has(place: Place): boolean
  /** True if it is time to check again; false while a check is in progress. */
  isDue(place: Place): boolean
  begin(place: Place): void
  end(place: Place): void
  /** Checks in the background, for the benefit of later calls. `look` begins or ends the refusal. */
  lookAgain(place: Place, look: () => Promise<unknown>): void
}

interface Refusal {
  until: number
  isLookedAt: boolean
}

const nameOf = ({ accountId, collectionId, galleryId }: Place) => `${accountId}/${collectionId}/${galleryId}`

export function createRefusals(now = Date.now): Refusals {
  const refused = new Map<string, Refusal>()
  const begin = (place: Place) => {
    refused.set(nameOf(place), { until: now() + lastsMilliseconds, isLookedAt: false })
  }
  return {
    has: (place) => refused.has(nameOf(place)),
    isDue(place) {
      const refusal = refused.get(nameOf(place))
      return refusal !== undefined && !refusal.isLookedAt && now() >= refusal.until
    },
    begin,
    end: (place) => void refused.delete(nameOf(place)),
    lookAgain(place, look) {
      const refusal = refused.get(nameOf(place))
      if (refusal === undefined) return
      refusal.isLookedAt = true
      // An unreachable store is also retried later.
      look().catch(() => {
        if (refused.has(nameOf(place))) begin(place)
      })
    },
  }
}
