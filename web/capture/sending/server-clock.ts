import type { Fetch } from '#shared/call.ts'

/** The server's clock, derived from its answers. */
export interface ServerClock {
  /** Milliseconds since 1970, accurate to a second plus the travel time of an answer; the device's time before the first answer. */
  now(): number
  /** Wraps `fetch` and reads the `Date` header of its answers. */
  watched(fetch: Fetch): Fetch
}

/** Creates the clock. The server's time limits are measured with its own clock, so that a wrong device clock does not shorten a visit. */
export function createServerClock(): ServerClock {
  let behind = 0
  return {
    now: () => Date.now() + behind,
    watched: (fetch) => async (address, init) => {
      const answer = await fetch(address, init)
      const sentAt = Date.parse(answer.headers.get('date') ?? '')
      if (!Number.isNaN(sentAt)) behind = sentAt - Date.now()
      return answer
    },
  }
}
