import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { DriftView } from './kiosk.ts'

/** The device's clock, corrected by the server's time. Milliseconds since 1970. */
export interface KioskClock {
  /** The corrected time. */
  now(): number
  /** The uncorrected time of the device. */
  own(): number
  /** The correction in milliseconds. */
  offset(): number
  /** Updates the correction from the server's time; `askedAt` and `answeredAt` are the device's times before and after the request. */
  hear(serverTime: number, askedAt: number, answeredAt: number): void
  drift(): DriftView
}

/** Creates a clock with a stored correction. */
export function createKioskClock(known: number, own: () => number = Date.now): KioskClock {
  let offset = known
  return {
    own,
    now: () => own() + offset,
    offset: () => offset,
    hear(serverTime, askedAt, answeredAt) {
      offset = Math.round(serverTime - (askedAt + answeredAt) / 2)
    },
    drift: () => ({
      offsetInSeconds: Math.round(offset / 1000),
      isFlagged: Math.abs(offset) > kioskLimits.driftInSeconds * 1000,
    }),
  }
}

/**
 * Time of a capture. [Note: Order over clocks] If the clock was set back while captures wait, a new capture is not dated
 * before them; it gets the time of the last one that waits.
 */
export function timeOfCapture(now: number, lastWaiting: number | undefined): number {
  return lastWaiting === undefined ? now : Math.max(now, lastWaiting + 1)
}
