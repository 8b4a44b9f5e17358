/** A wait of at least this long counts as delayed; pages ask for a picture every quarter of a second. Milliseconds. */
const heldUpMilliseconds = 1000
/** Number of consecutive pictures, and how many of them must be delayed. */
const judged = { pictures: 4, heldUp: 3 } as const

/** Receives the time that the page waited for a picture. Returns true if the browser throttles pictures. */
export type ThrottleWatch = (waitedMilliseconds: number) => boolean

/**
 * [Note: Low power] In power-saving mode, phones allow about thirty timers and pictures per minute, however fast the networks are.
 * Browsers do not report this, but waits are longer than requested. The time of the analysis itself is not included.
 */
export function createThrottleWatch(): ThrottleWatch {
  let waits: boolean[] = []
  return (waited) => {
    waits = [...waits, waited > heldUpMilliseconds].slice(-judged.pictures)
    return waits.filter(Boolean).length >= judged.heldUp
  }
}
