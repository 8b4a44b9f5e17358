import type { Event } from '#web/capture/machine/state.ts'
import { steadyNow } from '#web/ui/steady-now.ts'

const sessionMilliseconds = 15 * 60_000
const warningMilliseconds = 3 * 60_000
const lookMilliseconds = 1000

/** What is left until a time of the server's. `now` may be by a clock that is wrong: at most `longest`, and never nothing. */
export function timeLeft(until: number, now: number, longest: number): number {
  const left = until - now
  return left > 0 && left <= longest ? left : longest
}

/**
 * When the session ends, in milliseconds of this device's clock, of which it is `now`. What is left is told from the
 * server's clock; where that is not known, a device whose clock is wrong gets the whole quarter of an hour.
 */
export function deadlineOf(expirationUtcTime: string, now: number, serverTime: number = now): number {
  return now + timeLeft(Date.parse(expirationUtcTime), serverTime, sessionMilliseconds)
}

/** Tells once when three minutes are left, and from the end on again and again; answers how to stop. */
function watchDeadline(expiresAt: number, send: (event: Event) => void): () => void {
  let warned = false
  const timer = setInterval(() => {
    const left = expiresAt - steadyNow()
    if (left <= 0) send({ type: 'deadlineOver' })
    else if (left <= warningMilliseconds && !warned) {
      warned = true
      send({ type: 'deadlineNear' })
    }
  }, lookMilliseconds)
  return () => clearInterval(timer)
}

/** Watches the end of whatever session is open; one that it watches already goes on. */
export function followDeadline(send: (event: Event) => void) {
  let followed: number | null = null
  let stop = () => {}
  return {
    follow(expiresAt: number | null) {
      if (expiresAt === followed) return
      stop()
      followed = expiresAt
      if (expiresAt !== null) stop = watchDeadline(expiresAt, send)
    },
    stop: () => stop(),
  }
}
