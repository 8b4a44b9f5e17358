import type { Verdict } from '#models/rules/verdict.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { Audit } from '#server/features/audit/audit.ts'
import type { Signatures } from '#server/features/links/signatures.ts'
import type { Attempts } from '#server/features/sessions/opening/attempts.ts'
import type { Suspicions } from '#server/features/sessions/opening/suspicions.ts'
import type { PasskeyOffers } from '#server/features/sessions/passkeys/passkey-offers.ts'
import type { SessionRecord, StoredResult } from '#server/features/sessions/record.ts'
import type { PrepareEnd } from '#server/features/sessions/results/end-events.ts'
import { closed, outcomeOf, resultOf } from '#server/features/sessions/results/outcome.ts'
import type { Recognition } from '#server/features/sessions/results/recognition.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Clock, Guard, Write } from '#server/platform/store/store.ts'
import type { Read } from '#server/platform/store/tables.ts'
import type { Tally } from '#server/platform/telemetry/figures/tally.ts'
import { Problem } from '#shared/problem.ts'

/** Failures that say nothing about the person in front of the camera do not count as attempts. */
const innocentReasons = new Set(['consentDeclined', 'cameraUnavailable', 'alternativeChosen'])

/** Whether somebody was judged and failed. */
function isFailedTry({ verificationFailedReasons: reasons }: StoredResult): boolean {
  return reasons.some((reason) => !innocentReasons.has(reason) && reason !== 'sessionExpired')
}

export interface Ending {
  readonly before: Read<SessionRecord>
  readonly record: SessionRecord
  readonly verdict: Verdict
  readonly state: 'Completed' | 'Expired'
  /** Nothing was judged: the last verdict is taken for good. */
  readonly isLeft?: boolean
}

/** What is written with the end of a session, and what must hold for it. */
interface InOneCommit {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

/** The ended record; undefined where a guard did not hold, and then nothing was written. */
export type EndSession = (
  ending: Ending,
  recognition: Recognition,
  inOneCommit?: InOneCommit,
) => Promise<SessionRecord | undefined>

/** Answers the capture of a kiosk in the commit that ends its session; every other session is committed as it is. */
interface AnswersCaptures {
  answer(ended: SessionRecord, commit: Commit): Promise<boolean>
}

/** Commits what it is given together with its own; answers whether it did. */
type Commit = (writes: readonly Write[], guards: readonly Guard[]) => Promise<boolean>

interface Dependencies {
  accounts: Pick<Accounts, 'find'>
  attempts: Pick<Attempts, 'noteFailure' | 'noteTry'>
  suspicions: Pick<Suspicions, 'before' | 'note'>
  audit: Pick<Audit, 'note'>
  captures: AnswersCaptures
  prepareEnd: PrepareEnd
  passkeyOffers: Pick<PasskeyOffers, 'end'>
  sessions: Pick<SessionStore, 'complete'>
  signatures: Pick<Signatures, 'signResult'>
  tally: Pick<Tally, 'sessionEnded'>
  now: Clock
}

/**
 * Ends sessions. Result, webhook delivery, enrolled face, offer of a passkey and the answer to a kiosk stand in one commit, or none of them
 * does; what is told of the end follows it.
 */
export function createEndSession(services: Dependencies): EndSession {
  const { accounts, attempts, audit, captures, passkeyOffers, prepareEnd, sessions } = services
  const { signatures, suspicions, tally, now } = services

  /** Whatever ended it. The verdict is not recorded: it goes with the session. */
  function record({ accountId, sessionId, verificationId, state, kiosk }: SessionRecord): Promise<void> {
    const ids = { verificationId, verificationSessionId: sessionId, kioskId: kiosk?.kioskId }
    if (state === 'Expired') return audit.note(accountId, 'expireSession', 'server', ids)
    return audit.note(accountId, 'completeSession', kiosk === undefined ? 'session' : 'kiosk', ids)
  }

  return async (ending, recognition, { writes, guards } = { writes: [], guards: [] }) => {
    const { before, verdict } = ending
    const account = await accounts.find(ending.record.accountId)
    if (account === undefined) throw new Problem('forbidden', 'The account does not exist.')
    const resembles = [...(ending.record.resembles ?? []), ...(await suspicions.before(ending))]
    const result = resultOf({ ...ending.record, resembles }, verdict, recognition)
    const completedAt = now()
    const sign = (query: string) => signatures.signResult(account, query)
    const outcome = outcomeOf(ending.record, result, verdict.evidence, sign, completedAt)
    const ended = closed(ending.record, outcome, { state: ending.state, completedAt })
    const { session: done, writes: offer } = await passkeyOffers.end(ended, verdict)
    const notification = await prepareEnd(done)
    const own = [...notification.writes, ...offer, ...writes]
    const isDone = await captures.answer(done, (answer, asRead) =>
      sessions.complete(before, done, [...own, ...answer], [...guards, ...asRead]),
    )
    if (!isDone) return undefined
    await record(done)
    notification.send()
    const alternative = result.alternativeAction !== undefined
    const { findings, cues, steps } = verdict.evidence
    if (done.test === undefined)
      tally.sessionEnded({ result: result.verificationResult, findings, cues, steps, alternative })
    const isCounted = result.verificationFailedReasons.some((reason) => !innocentReasons.has(reason))
    await suspicions.note(ending)
    if (isCounted) await attempts.noteFailure(done.attemptKeys, account.attemptLimit)
    if (!ending.isLeft && isFailedTry(result)) await attempts.noteTry(done.attemptKeys, account.attemptLimit)
    return done
  }
}
