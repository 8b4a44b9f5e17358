import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import type { AccountCaller } from '#server/features/callers/callers.ts'
import { openerOf, wayBackOf } from '#server/features/sessions/access/holder.ts'
import { busy } from '#server/features/sessions/access/refusals.ts'
import { keyOf, type ReadSession } from '#server/features/sessions/access/session-reader.ts'
import type { Submit } from '#server/features/sessions/judging/submit.ts'
import { refuseLive, testSubmission } from '#server/features/sessions/testing/test-session.ts'
import type { completeTestSession } from '#shared/contract/sessions/session-test.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

export type CompleteTestSession = Handler<typeof completeTestSession, AccountCaller>

interface Dependencies {
  accounts: Pick<Accounts, 'find'>
  readSession: ReadSession
  submit: Submit
}

/** Ends a test session with the requested outcome, overriding any earlier request. */
export function createCompleteTestSession(services: Dependencies): CompleteTestSession {
  const { accounts, readSession, submit } = services
  return async ({ body: { verificationSessionId: sessionId, testOutcome: outcome }, caller }) => {
    const { accountId } = caller
    refuseLive(caller.account ?? (await existingAccount(accounts, accountId)), '#/testOutcome')
    return submit({
      key: keyOf({ accountId, sessionId }),
      busy,
      load: async () => ({
        read: () => readSession({ accountId, sessionId }),
        admit(record) {
          if (record.outcome !== null)
            throw new Problem('session_completed', 'The session is already completed.')
          const tested = { ...record, test: { outcome } }
          return testSubmission(tested, { hasPictures: false, acceptsRetry: false })
        },
        answer(decided) {
          const { verificationResult } = decided.outcome!.result
          return { verificationResult, redirectUrl: wayBackOf(decided, openerOf(decided)) }
        },
      }),
    })
  }
}
