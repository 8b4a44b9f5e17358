import { emptyVerdict } from '#models/rules/empty-verdict.ts'
import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import { type AccountCaller, environmentOf } from '#server/features/callers/callers.ts'
import { openerOf, wayBackOf } from '#server/features/sessions/access/holder.ts'
import { busy, type ReadSession } from '#server/features/sessions/access/session-reader.ts'
import type { Submit } from '#server/features/sessions/judging/submit.ts'
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
      key: `${accountId}/${sessionId}`,
      busy,
      load: async () => ({ given: { outcome }, read: () => readSession({ accountId, sessionId }) }),
      admit(test, record) {
        if (record.outcome !== null)
          throw new Problem('session_completed', 'The session is already completed.')
        return { record: { ...record, test }, pictures: [], trail: [], isRemembered: false }
      },
      judge: (_test, record) => ({ record, verdict: emptyVerdict('noFace') }),
      answer(_test, decided) {
        const { verificationResult } = decided.outcome!.result
        return { verificationResult, redirectUrl: wayBackOf(decided, openerOf(decided)) }
      },
    })
  }
}

/** @throws {Problem} 400 if the caller requests an outcome for a live session */
export function refuseLive(account: Parameters<typeof environmentOf>[0], pointer: string): void {
  if (environmentOf(account) === 'live') throw Problem.at(pointer, 'Is accepted only with a test key.')
}
