/** Pictures that come so far apart although each is analysed in so little were held up by the browser. Milliseconds. */
const heldUp = { gap: 1000, analysis: 400 } as const
/** Of so many pictures in a row. */
const judged = { pictures: 4, heldUp: 3 } as const

/** Is told when a picture was analysed, and how long analyses take; answers whether the browser holds pictures up. */
export type ThrottleWatch = (at: number, analysisMilliseconds: number) => boolean

/**
 * [Note: Low power] A phone that saves power lets timers and pictures through some thirty times a minute, however quick its networks are. No
 * browser tells; it shows in pictures that are far apart and quickly done.
 */
export function createThrottleWatch(): ThrottleWatch {
  let last: number | undefined
  let gaps: boolean[] = []
  return (at, analysisMilliseconds) => {
    const gap = at - (last ?? at)
    last = at
    gaps = [...gaps, gap > heldUp.gap && analysisMilliseconds < heldUp.analysis].slice(-judged.pictures)
    return gaps.filter(Boolean).length >= judged.heldUp
  }
}
