import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { DriftView } from './kiosk.ts'

/** The device's clock, corrected by what the server last said of the time. Milliseconds since 1970. */
export interface KioskClock {
  /** The corrected time. */
  now(): number
  /** The device's own time, as it is. */
  own(): number
  /** What is added to the device's clock, in milliseconds. */
  offset(): number
  /** Takes the server's time; `askedAt` and `answeredAt` are the device's own times around the question. */
  hear(serverTime: number, askedAt: number, answeredAt: number): void
  drift(): DriftView
}

/** Makes a clock that goes on with a known offset. */
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
 * When a capture is said to have been taken. [Note: Order over clocks] A clock that was set back while captures wait does
 * not make a later one seem earlier: it follows the last one that waits.
 */
export function timeOfCapture(now: number, lastWaiting: number | undefined): number {
  return lastWaiting === undefined ? now : Math.max(now, lastWaiting + 1)
}
