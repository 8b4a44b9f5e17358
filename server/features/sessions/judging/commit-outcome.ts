import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { Account } from '#server/features/callers/callers.ts'
import type { Attempts } from '#server/features/sessions/access/attempts.ts'
import type { Expire } from '#server/features/sessions/access/session-reader.ts'
import type { EarlyPictures } from '#server/features/sessions/early-pictures/early-pictures.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import { noPictures } from '#server/features/sessions/pictures/submission.ts'
import { notRecognised, type Recognition } from '#server/features/sessions/records/recognition.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { beginTransaction, type Transaction } from '#server/platform/store/transaction.ts'
import { Problem } from '#shared/problem.ts'
import type { Decision } from './decision.ts'
import type { EndSession, PreparedOutcome } from './end-session.ts'
import { deniedInTries } from './find-denied.ts'
import { begunAgain, mayTryAgain } from './further-try.ts'
import { judgeSubmission } from './judge-submission.ts'

/**
 * Commits a decision: either the end of the session or another try. Returns the session's new state, or undefined if a
 * record has changed since it was read, in which case nothing is written.
 */
export type CommitOutcome = (
  transaction: Transaction,
  decision: Decision,
  recognition: Recognition,
) => Promise<SessionRecord | undefined>

export interface OutcomeServices {
  readonly accounts: Pick<Accounts, 'find'>
  readonly endSession: EndSession
  readonly attempts: Pick<Attempts, 'noteTry'>
  readonly evidence: Pick<Evidence, 'gather' | 'settleEnd'>
  /** Marks early pictures as judged, or as no longer needed. */
  readonly earlyPictures: Pick<EarlyPictures, 'drop'>
  readonly sessions: Pick<SessionStore, 'save'>
  readonly now: Clock
}

/**
 * [Note: One commit decides] The result, the webhook delivery, the enrolled face, the passkey offer, the answer to a kiosk
 * and the audit entry are all committed together, or not at all. Reports about the end follow the commit.
 */
export function createCommitOutcome(services: OutcomeServices): CommitOutcome {
  const { accounts, evidence, earlyPictures, endSession, now } = services
  const commitOutcome: CommitOutcome = async (transaction, decision, recognition) => {
    const { judgement, submission, seen } = decision
    const { record } = judgement
    const account = await accounts.find(record.accountId)
    if (account === undefined) throw new Problem('forbidden', 'The account does not exist.')
    const isAnotherTry = mayTryAgain(judgement, recognition, now())
    await earlyPictures.drop(transaction, record)
    const { session, tell } = isAnotherTry
      ? beginTry(services, transaction, decision, recognition, account)
      : await endSession(transaction, decision, recognition, account)
    if (!(await transaction.commit())) return undefined
    evidence.gather(record, submission, seen, session.tries)
    if (session.outcome !== null) evidence.settleEnd(session)
    await tell()
    return session
  }
  return commitOutcome
}

function beginTry(
  { sessions, attempts, now }: OutcomeServices,
  transaction: Transaction,
  decision: Decision,
  recognition: Recognition,
  { attemptLimit }: Account,
): PreparedOutcome {
  const session = begunAgain(decision, recognition, now())
  sessions.save(transaction, decision.session, session)
  return { session, tell: () => attempts.noteTry(session.attemptKeys, attemptLimit) }
}

/** Creates the function that ends sessions without a submission. */
export function createExpire(store: Pick<Store, 'commit'>, commitOutcome: CommitOutcome): Expire {
  return async (session) => {
    const submission = { kind: 'expiry', record: session.value, ...noPictures } as const
    const judgement = judgeSubmission(submission, session.value, [])
    const decision = { session, submission, seen: [], judgement }
    const recognition = { ...notRecognised, ...deniedInTries(undefined, session.value) }
    await commitOutcome(beginTransaction(store), decision, recognition)
  }
}
