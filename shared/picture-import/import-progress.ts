export interface ImportProgress {
  readonly done: number
  readonly total: number
  /** Pictures per second in this run; 0 before the first picture. */
  readonly perSecond: number
  /** The remaining seconds at the current rate, or undefined before the first picture. */
  readonly secondsLeft: number | undefined
}

/** Counts the processed pictures. `before` is the number processed by earlier runs, which does not count towards the rate. */
export function createImportProgress(total: number, before: number, milliseconds: () => number) {
  const began = milliseconds()
  let done = before
  return {
    step: () => void done++,
    now(): ImportProgress {
      const seconds = (milliseconds() - began) / 1000
      const perSecond = seconds > 0 ? (done - before) / seconds : 0
      const secondsLeft = perSecond > 0 ? (total - done) / perSecond : undefined
      return { done, total, perSecond, secondsLeft }
    },
  }
}
