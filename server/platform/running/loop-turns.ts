/** How many milliseconds per event loop turn all of the process's long-running work may use together. */
export const sliceInMilliseconds = 2

/** Decides when long-running work yields to other work on the event loop. */
export interface LoopTurns {
  /** True if long-running work has used up this turn's slice. The first call in a turn starts the slice. */
  isOver(): boolean
  /** Resolves in the next turn. */
  next(): Promise<void>
}

/**
 * [Note: Long work shares a slice] Code that reads many records calls `isOver` after each one, and awaits `next` if it is
 * true. The slice belongs to the turn, not to the work, so a health check waits for one slice and one record per list,
 * however many lists are being read. The slice is short so that a p99 of one or two milliseconds does not grow more than
 * threefold.
 */
export function createLoopTurns(
  now: () => number = () => performance.now(),
  inNextTurn: (then: () => void) => void = setImmediate,
): LoopTurns {
  let endsAt: number | undefined
  const begin = () => {
    endsAt = undefined
  }
  return {
    isOver() {
      if (endsAt !== undefined) return now() >= endsAt
      endsAt = now() + sliceInMilliseconds
      inNextTurn(begin)
      return false
    },
    next: () => new Promise((done) => inNextTurn(done)),
  }
}

/** Shared by the whole process, which has only one event loop. */
export const loopTurns = createLoopTurns()
