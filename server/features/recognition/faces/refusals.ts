import type { Place } from './face-store.ts'

/** What did not fit is not read again for so long. */
const lastsMilliseconds = 300_000

/** The collections that a process could not hold in memory. */
export interface Refusals {
  has(place: Place): boolean
  /** Whether it is time to look whether it fits by now; false while somebody does. */
  isDue(place: Place): boolean
  begin(place: Place): void
  end(place: Place): void
  /** Looks, and nobody waits for it: what it finds is for whoever asks next. `look` begins or ends the refusal. */
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
      // A store that is away, too, is asked again only later.
      look().catch(() => {
        if (refused.has(nameOf(place))) begin(place)
      })
    },
  }
}
