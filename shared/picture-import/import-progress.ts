/** How far an import is. */
export interface ImportProgress {
  readonly done: number
  readonly total: number
  /** Pictures a second since this run began; 0 before the first. */
  readonly perSecond: number
  /** Seconds that are left at that rate; undefined before the first picture. */
  readonly secondsLeft: number | undefined
}

/** Counts what was done of a whole; `before` was done by an earlier run, and tells nothing of how fast this one is. */
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
