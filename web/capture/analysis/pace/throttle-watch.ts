/** Pages request a picture every quarter of a second, so a wait of at least this long counts as delayed. In milliseconds. */
const heldUpMilliseconds = 1000
/** How many pictures in a row are considered, and how many of them must be delayed. */
const judged = { pictures: 4, heldUp: 3 } as const

/** Takes the time that the page waited for a picture. Returns true if the browser is throttling pictures. */
export type ThrottleWatch = (waitedMilliseconds: number) => boolean

/**
 * [Note: Low power] In power-saving mode, phones limit pages to about thirty timers and pictures per minute, however fast the networks are.
 * Browsers do not report this, but waits take longer than requested. The analysis itself is not counted.
 */
export function createThrottleWatch(): ThrottleWatch {
  let waits: boolean[] = []
  return (waited) => {
    waits = [...waits, waited > heldUpMilliseconds].slice(-judged.pictures)
    return waits.filter(Boolean).length >= judged.heldUp
  }
}
