import type { Audit } from '#server/features/audit/audit.ts'
import type { Account } from '#server/features/callers/callers.ts'
import type { Signatures } from '#server/features/links/links.ts'
import type { AddressShares } from '#server/features/sessions/access/address-shares.ts'
import type { Attempts } from '#server/features/sessions/access/attempts.ts'
import type { Suspicions } from '#server/features/sessions/access/suspicions.ts'
import type { PasskeyOffers } from '#server/features/sessions/passkeys/passkey-offers.ts'
import type { EvidenceRecords } from '#server/features/sessions/records/evidence-records.ts'
import type { Recognition } from '#server/features/sessions/records/recognition.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { PrepareEnd } from '#server/features/sessions/results/end-events.ts'
import type { Clock, Write } from '#server/platform/store/store.ts'
import type { Transaction } from '#server/platform/store/transaction.ts'
import type { Tally } from '#server/platform/telemetry/figures/tally.ts'
import { countsAsFailed, decideOutcome, isFailedTry } from './decide-outcome.ts'
import type { Decision } from './decision.ts'

/** Answers a kiosk's capture in the commit that ends its session. */
export interface CaptureAnswers {
  answer(transaction: Transaction, ended: SessionRecord): Promise<void>
}

/** A session's new state, whose writes are in the transaction, and the actions that follow the commit. */
export interface PreparedOutcome {
  readonly session: SessionRecord
  tell(): Promise<void>
}

/** Adds the end of a session to a transaction. */
export type EndSession = (
  transaction: Transaction,
  decision: Decision,
  recognition: Recognition,
  account: Account,
) => Promise<PreparedOutcome>

/** The counts of ended sessions, which follow the commit. */
export interface EndCounts {
  readonly tally: Pick<Tally, 'sessionEnded'>
  readonly suspicions: Pick<Suspicions, 'before' | 'note'>
  readonly attempts: Pick<Attempts, 'noteFailure' | 'noteTry'>
}

export interface EndServices {
  readonly counts: EndCounts
  readonly evidenceRecords: Pick<EvidenceRecords, 'ended'>
  readonly addressShares: Pick<AddressShares, 'settle'>
  readonly audit: Pick<Audit, 'entry'>
  readonly captures: CaptureAnswers
  readonly prepareEnd: PrepareEnd
  readonly passkeyOffers: Pick<PasskeyOffers, 'end'>
  readonly sessions: Pick<SessionStore, 'save'>
  readonly signatures: Pick<Signatures, 'signResult'>
  readonly now: Clock
}

export function createEndSession(services: EndServices): EndSession {
  const { counts, sessions, evidenceRecords, signatures, passkeyOffers, prepareEnd, captures, now } = services
  return async (transaction, decision, recognition, account) => {
    const { judgement, faces = [] } = decision
    const { record, verdict } = judgement
    const state = endStateOf(decision)
    const suspected = await counts.suspicions.before({ record, verdict, state })
    const sign = (query: string) => signatures.signResult(account, query)
    const ended = decideOutcome(judgement, recognition, { suspected, sign, state, now: now() })
    const { session, writes: offer } = await passkeyOffers.end(ended, verdict)
    const events = await prepareEnd(session)
    sessions.save(transaction, decision.session, session)
    await evidenceRecords.ended(transaction, session)
    transaction.write(...faces, ...offer, ...events.writes, await prepareAuditEntry(services, session))
    transaction.write(...services.addressShares.settle(session))
    if (session.kiosk !== undefined) await captures.answer(transaction, session)
    return {
      session,
      async tell() {
        events.send()
        await countEnd(counts, decision, session, account)
      },
    }
  }
}

function endStateOf({ submission }: Decision): 'Completed' | 'Expired' {
  return submission.kind === 'expiry' ? 'Expired' : 'Completed'
}

/** The audit entry for any ending. It omits the verdict, which is erased with the session. */
function prepareAuditEntry({ audit }: EndServices, session: SessionRecord): Promise<Write> {
  const { accountId, sessionId, verificationId, state, kiosk } = session
  const ids = { verificationId, verificationSessionId: sessionId, kioskId: kiosk?.kioskId }
  if (state === 'Expired') return audit.entry(accountId, 'expireSession', 'server', ids)
  return audit.entry(accountId, 'completeSession', kiosk === undefined ? 'session' : 'kiosk', ids)
}

async function countEnd(
  { tally, suspicions, attempts }: EndCounts,
  decision: Decision,
  session: SessionRecord,
  { attemptLimit }: Account,
): Promise<void> {
  const { result } = session.outcome!
  const { record, verdict } = decision.judgement
  const { findings, cues, steps } = verdict.evidence
  const alternative = result.alternativeAction !== undefined
  if (session.test === undefined)
    tally.sessionEnded({ result: result.verificationResult, findings, cues, steps, alternative })
  await suspicions.note({ record, verdict, state: endStateOf(decision) })
  if (countsAsFailed(session)) await attempts.noteFailure(session.attemptKeys, attemptLimit)
  // Leaving makes an earlier try's verdict final, and that try was already counted.
  if (decision.submission.kind !== 'leave' && isFailedTry(result))
    await attempts.noteTry(session.attemptKeys, attemptLimit)
}
