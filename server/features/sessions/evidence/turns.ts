/** A background queue that runs one task at a time, in order, and limits how many bytes waiting tasks can hold. */
export interface Turns {
  /** Queues the work. Returns false and does nothing if the limit would be exceeded. The work must not throw. */
  take(owner: string, bytes: number, work: () => Promise<void>): boolean
  /** Waits for the tasks that an owner has queued so far, or for all tasks if no owner is given. */
  settle(owner?: string): Promise<void>
}

export function createTurns(mostBytes: number): Turns {
  const last = new Map<string, Promise<void>>()
  let line: Promise<void> = Promise.resolve()
  let held = 0

  return {
    take(owner, bytes, work) {
      if (held + bytes > mostBytes) return false
      held += bytes
      line = line.then(work).finally(() => {
        held -= bytes
      })
      const mine = line
      last.set(owner, mine)
      void mine.finally(() => {
        if (last.get(owner) === mine) last.delete(owner)
      })
      return true
    },
    settle: async (owner) => (owner === undefined ? line : last.get(owner)),
  }
}
