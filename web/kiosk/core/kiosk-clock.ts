import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { DriftView } from './kiosk.ts'

/** The device's clock, corrected with the server's time. All times are in milliseconds since 1970. */
export interface KioskClock {
  /** The corrected time. */
  now(): number
  /** The device's uncorrected time. */
  own(): number
  /** The correction in milliseconds. */
  offset(): number
  /** Updates the correction. `askedAt` and `answeredAt` are the device's times before and after the request for the server's time. */
  hear(serverTime: number, askedAt: number, answeredAt: number): void
  drift(): DriftView
}

/** Creates a clock that starts with a stored correction. */
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
 * Returns a capture's time. [Note: Order over clocks] If the clock was set back while captures are waiting, a new capture does
 * not get an earlier time than they have; it gets the same time as the last one.
 */
export function timeOfCapture(now: number, lastWaiting: number | undefined): number {
  return lastWaiting === undefined ? now : Math.max(now, lastWaiting + 1)
}
