import type { Fetch } from '#shared/call.ts'
import { steadyNow } from '#web/ui/steady-now.ts'

/** The server's clock, derived from its answers. */
export interface ServerClock {
  /** Milliseconds since 1970, accurate to a second plus the travel time of an answer; the device's time before the first answer. */
  now(): number
  /** How long the last answer was on its way, beyond the quickest one: within a second, in milliseconds. */
  lateness(): number
  /** The same `fetch`, whose answers are looked at for their `Date`. */
  watched(fetch: Fetch): Fetch
}

/** Creates the clock. The server's time limits are measured with its own clock, so that a wrong device clock does not shorten a visit. */
export function createServerClock(): ServerClock {
  let behind = 0
  let leastAway = Number.POSITIVE_INFINITY
  let late = 0
  return {
    lateness: () => late,
    now: () => steadyNow() + behind,
    watched: (fetch) => async (address, init) => {
      const answer = await fetch(address, init)
      const sentAt = Date.parse(answer.headers.get('date') ?? '')
      if (Number.isNaN(sentAt)) return answer
      const away = steadyNow() - sentAt
      behind = -away
      leastAway = Math.min(leastAway, away)
      late = away - leastAway
      return answer
    },
  }
}
