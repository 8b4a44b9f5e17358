/** Work in the background: one at a time, in the order in which it came, holding so many bytes at most while it waits. */
export interface Turns {
  /** Does the work in its turn; answers false, and does nothing, where it would hold too much. The work must not throw. */
  take(owner: string, bytes: number, work: () => Promise<void>): boolean
  /** Waits for what came of an owner so far; of everybody where none is named. */
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
