/** A picture that the page waits for so long was held up: it asks again after a quarter of a second. Milliseconds. */
const heldUpMilliseconds = 1000
/** Of so many pictures in a row. */
const judged = { pictures: 4, heldUp: 3 } as const

/** Is told how long the page waited for a picture; answers whether the browser holds pictures up. */
export type ThrottleWatch = (waitedMilliseconds: number) => boolean

/**
 * [Note: Low power] A phone that saves power lets timers and pictures through some thirty times a minute, however quick its networks are. No
 * browser tells; it shows in waits that are longer than was asked. What analyses take has no part in it.
 */
export function createThrottleWatch(): ThrottleWatch {
  let waits: boolean[] = []
  return (waited) => {
    waits = [...waits, waited > heldUpMilliseconds].slice(-judged.pictures)
    return waits.filter(Boolean).length >= judged.heldUp
  }
}
