import type { AccountCaller } from '#server/features/callers/callers.ts'
import { busy } from '#server/features/sessions/access/refusals.ts'
import type { Expire, ReadSession } from '#server/features/sessions/access/session-reader.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { cancelSession } from '#shared/contract/sessions/session-list.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

/** Ends a session as if its time had run out. Any judgement in progress is then discarded. */
export function createCancelSession(
  readSession: ReadSession,
  expire: Expire,
): Handler<typeof cancelSession, AccountCaller> {
  return ({ body: { verificationSessionId: sessionId }, caller: { accountId } }) =>
    retryOnConflict(async () => {
      const read = await readSession({ accountId, sessionId })
      if (read.value.state === 'Expired') return {}
      if (read.value.outcome !== null)
        throw new Problem('session_completed', 'The session is already completed.')
      await expire(read)
      return undefined
    }, busy)
}
