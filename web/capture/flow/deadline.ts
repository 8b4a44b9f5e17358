import type { Event } from '#web/capture/machine/state.ts'
import { steadyNow } from '#web/ui/steady-now.ts'

const sessionMilliseconds = 15 * 60_000
const warningMilliseconds = 3 * 60_000
const lookMilliseconds = 1000

/** Time until a server time. The device's clock may be wrong, so the result is at most `longest` and always positive. */
export function timeLeft(until: number, now: number, longest: number): number {
  const left = until - now
  return left > 0 && left <= longest ? left : longest
}

/**
 * When the session ends, by this device's clock, which shows `now`; in milliseconds. The remaining time is computed with the
 * server's clock. If that is unknown, a device with a wrong clock gets the full quarter of an hour.
 */
export function deadlineOf(expirationUtcTime: string, now: number, serverTime: number = now): number {
  return now + timeLeft(Date.parse(expirationUtcTime), serverTime, sessionMilliseconds)
}

/** Reports once that three minutes are left, and repeatedly after the end. Returns a function that stops watching. */
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

/** Watches the end of the open session. Has no effect if it is already being watched. */
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
