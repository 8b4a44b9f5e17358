import { emptyVerdict } from '#models/rules/empty-verdict.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { Audit } from '#server/features/audit/audit.ts'
import type { Account } from '#server/features/callers/callers.ts'
import type { Signatures } from '#server/features/links/links.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import type { EvidenceRecords } from '#server/features/sessions/evidence/evidence-records.ts'
import type { HandedInPictures } from '#server/features/sessions/handed-in/handed-in.ts'
import type { Attempts } from '#server/features/sessions/opening/attempts.ts'
import type { LeftBehind } from '#server/features/sessions/opening/left-behind.ts'
import type { Suspicions } from '#server/features/sessions/opening/suspicions.ts'
import type { PasskeyOffers } from '#server/features/sessions/passkeys/passkey-offers.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { PrepareEnd } from '#server/features/sessions/results/end-events.ts'
import { notRecognised, type Recognition } from '#server/features/sessions/results/recognition.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import type { GuardedRecord } from '#server/platform/store/tables.ts'
import { beginTransaction, type Transaction } from '#server/platform/store/transaction.ts'
import type { Tally } from '#server/platform/telemetry/figures/tally.ts'
import { Problem } from '#shared/problem.ts'
import { countsAsFailed, decideOutcome, isFailedTry, type Judged } from './decide-outcome.ts'
import { begunAgain, mayTryAgain } from './further-try.ts'

/** A session being decided: the record as it was read, and its judgement. */
export interface Deciding extends Judged {
  readonly before: GuardedRecord<SessionRecord>
  readonly state: 'Completed' | 'Expired'
  /** Writes to the searched collection's faces, if the session ends. */
  readonly faces?: readonly Write[]
}

/** Answers a kiosk's capture in the commit that ends its session. */
export interface AnswersCaptures {
  answer(transaction: Transaction, ended: SessionRecord): Promise<void>
}

/**
 * Commits a decision: either the end of the session or another try. Returns the session's new state, or undefined if a
 * record has changed since it was read, in which case nothing is written.
 */
export type CommitOutcome = (
  transaction: Transaction,
  deciding: Deciding,
  recognition: Recognition,
) => Promise<SessionRecord | undefined>

export interface OutcomeServices {
  readonly accounts: Pick<Accounts, 'find'>
  readonly evidence: Pick<Evidence, 'gather' | 'settleEnd'>
  readonly evidenceRecords: Pick<EvidenceRecords, 'ended'>
  readonly attempts: Pick<Attempts, 'noteFailure' | 'noteTry'>
  readonly suspicions: Pick<Suspicions, 'before' | 'note'>
  readonly leftBehind: Pick<LeftBehind, 'settle'>
  readonly audit: Pick<Audit, 'entry'>
  readonly captures: AnswersCaptures
  readonly prepareEnd: PrepareEnd
  readonly passkeyOffers: Pick<PasskeyOffers, 'end'>
  /** Marks early pictures as judged, or as no longer needed. */
  readonly handedIn: Pick<HandedInPictures, 'drop'>
  readonly sessions: Pick<SessionStore, 'save'>
  readonly signatures: Pick<Signatures, 'signResult'>
  readonly tally: Pick<Tally, 'sessionEnded'>
  readonly now: Clock
}

/** The writes, and the actions that follow the commit. */
interface Collected {
  readonly session: SessionRecord
  tell(): Promise<void>
}

/**
 * [Note: One commit decides] The result, the webhook delivery, the enrolled face, the passkey offer, the answer to a kiosk
 * and the audit entry are all committed together, or not at all. Reports about the end follow the commit.
 */
export function createCommitOutcome(services: OutcomeServices): CommitOutcome {
  return async (transaction, deciding, recognition) => {
    const account = await services.accounts.find(deciding.record.accountId)
    if (account === undefined) throw new Problem('forbidden', 'The account does not exist.')
    const collect = mayTryAgain(deciding, recognition, services.now()) ? collectFurtherTry : collectEnd
    await services.handedIn.drop(transaction, deciding.record)
    const { session, tell } = await collect(services, transaction, { deciding, recognition, account })
    if (!(await transaction.commit())) return undefined
    const { brought } = deciding
    if (brought !== undefined) services.evidence.gather(deciding.record, brought, session.tries)
    if (session.outcome !== null) services.evidence.settleEnd(session)
    await tell()
    return session
  }
}

/** Ends a session that has expired or is treated as expired. No-op if another request has changed it since it was read. */
export type Expire = (before: GuardedRecord<SessionRecord>) => Promise<void>

export function createExpire(store: Pick<Store, 'commit'>, commitOutcome: CommitOutcome): Expire {
  return async (before) => {
    const verdict = emptyVerdict('sessionExpired')
    const deciding = { before, record: before.value, verdict, state: 'Expired' } as const
    await commitOutcome(beginTransaction(store), deciding, notRecognised)
  }
}

interface Found {
  readonly deciding: Deciding
  readonly recognition: Recognition
  readonly account: Account
}

async function collectFurtherTry(
  { sessions, attempts, now }: OutcomeServices,
  transaction: Transaction,
  { deciding, recognition, account }: Found,
): Promise<Collected> {
  const session = begunAgain(deciding, recognition, now())
  sessions.save(transaction, deciding.before, session)
  return { session, tell: () => attempts.noteTry(session.attemptKeys, account.attemptLimit) }
}

async function collectEnd(
  services: OutcomeServices,
  transaction: Transaction,
  { deciding, recognition, account }: Found,
): Promise<Collected> {
  const { sessions, evidenceRecords, signatures, suspicions, passkeyOffers } = services
  const { prepareEnd, captures, now } = services
  const { before, verdict, state, faces = [] } = deciding
  const suspected = await suspicions.before(deciding)
  const sign = (query: string) => signatures.signResult(account, query)
  const ended = decideOutcome(deciding, recognition, { suspected, sign, state, now: now() })
  const { session, writes: offer } = await passkeyOffers.end(ended, verdict)
  const events = await prepareEnd(session)
  sessions.save(transaction, before, session)
  await evidenceRecords.ended(transaction, session)
  transaction.write(...faces, ...offer, ...events.writes, await entryOf(services, session))
  transaction.write(...services.leftBehind.settle(session))
  if (session.kiosk !== undefined) await captures.answer(transaction, session)
  return {
    session,
    async tell() {
      events.send()
      await countEnd(services, deciding, session, account)
    },
  }
}

/** The audit entry for any ending. It omits the verdict, which is erased with the session. */
function entryOf({ audit }: OutcomeServices, session: SessionRecord): Promise<Write> {
  const { accountId, sessionId, verificationId, state, kiosk } = session
  const ids = { verificationId, verificationSessionId: sessionId, kioskId: kiosk?.kioskId }
  if (state === 'Expired') return audit.entry(accountId, 'expireSession', 'server', ids)
  return audit.entry(accountId, 'completeSession', kiosk === undefined ? 'session' : 'kiosk', ids)
}

async function countEnd(
  { tally, suspicions, attempts }: OutcomeServices,
  deciding: Deciding,
  session: SessionRecord,
  { attemptLimit }: Account,
): Promise<void> {
  const { result } = session.outcome!
  const { findings, cues, steps } = deciding.verdict.evidence
  const alternative = result.alternativeAction !== undefined
  if (session.test === undefined)
    tally.sessionEnded({ result: result.verificationResult, findings, cues, steps, alternative })
  await suspicions.note(deciding)
  if (countsAsFailed(session)) await attempts.noteFailure(session.attemptKeys, attemptLimit)
  if (!deciding.isLeft && isFailedTry(result)) await attempts.noteTry(session.attemptKeys, attemptLimit)
}
