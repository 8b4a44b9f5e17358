import type { SessionRead } from '#server/sessions/access.ts'
import type { SessionRecord } from '#server/sessions/record.ts'
import type { SessionStore } from '#server/sessions/session-store.ts'
import type { Clock } from '#server/store/store.ts'

/** How long whoever judges a session may take; an end after which it is taken for dead. */
const judgedWithinInMilliseconds = 30_000
const lookAgainAfterInMilliseconds = 250

/** Sees to it that a session is judged by one at a time, wherever the others are. `by` names whoever judges. */
export interface Judging {
  /**
   * [Note: Judged in one place] A page whose answer was lost submits again, perhaps to another process: that one waits
   * for the result instead of judging beside the first, or neither would be left as it was read.
   */
  unjudged(read: () => Promise<SessionRead>, by: string): Promise<SessionRead>
  /** Tells others that the session is being judged; undefined where somebody else changed it since it was read. */
  mark(read: SessionRead, record: SessionRecord, by: string): Promise<SessionRead | undefined>
  /** What could not be judged may be tried anew at once, anywhere. */
  release<T>(marked: SessionRead, judge: () => Promise<T>): Promise<T>
}

export function createJudging(sessions: SessionStore, now: Clock): Judging {
  return {
    async unjudged(readSession, by) {
      for (;;) {
        const read = await readSession()
        const { judging, outcome } = read.value
        const isElsewhere = judging?.by !== by && (judging?.until ?? 0) > now()
        if (outcome !== null || !isElsewhere) return read
        await new Promise((over) => setTimeout(over, lookAgainAfterInMilliseconds))
      }
    },
    async mark(read, record, by) {
      const judging = { by, until: now() + judgedWithinInMilliseconds }
      if (!(await sessions.replace(read, { ...record, state: 'Submitted', judging }))) return undefined
      return sessions.read(record.accountId, record.sessionId)
    },
    async release(marked, judge) {
      try {
        return await judge()
      } catch (error) {
        await sessions.replace(marked, { ...marked.value, judging: null })
        throw error
      }
    },
  }
}
