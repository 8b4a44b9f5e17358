import { steadyNow } from '#web/ui/steady-now.ts'
import type { SendBytes } from './multipart.ts'

/** The server's clock, estimated from its answers. */
export interface ServerClock {
  /** Milliseconds since 1970, accurate to a second plus an answer's travel time. Before the first answer, the device's own time. */
  now(): number
  /** How much longer the last answer took to arrive than the fastest one, in milliseconds; accurate to a second. */
  lateness(): number
  /** Wraps a function that sends requests, and reads the `Date` header of each answer. */
  watched(send: SendBytes): SendBytes
}

/** Creates the clock. Time limits are measured with the server's clock, so that a wrong device clock does not cut a visit short. */
export function createServerClock(): ServerClock {
  let behind = 0
  let leastAway = Number.POSITIVE_INFINITY
  let late = 0
  return {
    lateness: () => late,
    now: () => steadyNow() + behind,
    watched: (send) => async (address, init) => {
      const answer = await send(address, init)
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
