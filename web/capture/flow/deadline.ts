import type { Event } from '#web/capture/machine/state.ts'
import { steadyNow } from '#web/ui/steady-now.ts'

const sessionMilliseconds = 15 * 60_000
const warningMilliseconds = 3 * 60_000
const lookMilliseconds = 1000

/** Time left until a server time. The device's clock may be wrong, so the result is always positive and at most `longest`. */
export function timeLeft(until: number, now: number, longest: number): number {
  const left = until - now
  return left > 0 && left <= longest ? left : longest
}

/**
 * When the session ends according to this device's clock, which currently shows `now`, in milliseconds. The server's clock determines
 * how much time is left. If the server's time is unknown, a device with a wrong clock gets the full fifteen minutes.
 */
export function deadlineOf(expirationUtcTime: string, now: number, serverTime: number = now): number {
  return now + timeLeft(Date.parse(expirationUtcTime), serverTime, sessionMilliseconds)
}

/** Reports once when three minutes are left, and repeatedly after the end. Returns a function that stops watching. */
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

/** Watches for the end of the open session. A no-op if it is already being watched. */
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
