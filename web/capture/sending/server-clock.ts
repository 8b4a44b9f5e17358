import type { SendBytes } from './multipart.ts'

/** The server's clock, as far as its answers tell of it. */
export interface ServerClock {
  /** Milliseconds since 1970, within a second and the way of an answer; by this device's clock before the first one. */
  now(): number
  /** Sends as before, and reads the `Date` of each answer. */
  watched(send: SendBytes): SendBytes
}

/** Makes the clock. What the server times is measured by its own clock, so that a device's clock cuts no visit short. */
export function createServerClock(): ServerClock {
  let behind = 0
  return {
    now: () => Date.now() + behind,
    watched: (send) => async (address, init) => {
      const answer = await send(address, init)
      const sentAt = Date.parse(answer.headers.get('date') ?? '')
      if (!Number.isNaN(sentAt)) behind = sentAt - Date.now()
      return answer
    },
  }
}
