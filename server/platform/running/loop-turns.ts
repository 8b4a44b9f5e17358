/** Milliseconds that long work takes in one turn of the event loop, all such work of the process together. */
export const sliceInMilliseconds = 2

/** Decides when long work gives way to what else the event loop has to do. */
export interface LoopTurns {
  /** True if long work has used up its slice of this turn. The first question of a turn starts the slice. */
  isOver(): boolean
  /** Resolves in the next turn. */
  next(): Promise<void>
}

/**
 * [Note: Long work shares a slice] A read of many records asks `isOver` after each, and waits for `next` if it is. The slice belongs to the turn and not
 * to the work: however many lists are read at once, a health check waits for one slice and one record of each. The slice is short since a p99 of
 * a millisecond or two is not to become more than three times as long.
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

/** The turns of this process: it has one event loop. */
export const loopTurns = createLoopTurns()
