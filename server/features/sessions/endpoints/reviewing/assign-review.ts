import type { AccountCaller } from '#server/features/callers/callers.ts'
import { busy } from '#server/features/sessions/access/refusals.ts'
import type { ReadSession } from '#server/features/sessions/access/session-reader.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { assignReview } from '#shared/contract/sessions/session-reviewing.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

/** Assigns completed sessions to a reviewer. [Note: One after another] Each session has a separate commit. */
export function createAssignReview(
  readSession: ReadSession,
  sessions: Pick<SessionStore, 'replace'>,
): Handler<typeof assignReview, AccountCaller> {
  /** True if the session can be reviewed. */
  async function assign(accountId: string, sessionId: string, reviewer: string | null): Promise<boolean> {
    return retryOnConflict(async () => {
      const read = await readSession({ accountId, sessionId }).catch(unlessUnknown)
      if (read === undefined || read.value.outcome === null) return false
      const { assignedTo: _, ...record } = read.value
      const assigned = reviewer === null ? record : { ...record, assignedTo: reviewer }
      return (await sessions.replace(read, assigned)) ? true : undefined
    }, busy)
  }

  return async ({ body: { verificationSessionIds, reviewer }, caller: { accountId } }) => {
    let count = 0
    for (const sessionId of new Set(verificationSessionIds))
      if (await assign(accountId, sessionId, reviewer)) count++
    return { count }
  }
}

function unlessUnknown(problem: unknown): undefined {
  if (problem instanceof Problem && problem.code === 'not_found') return undefined
  throw problem
}
