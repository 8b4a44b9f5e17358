import { randomUUID } from 'node:crypto'
import type { JudgeStep } from '#models/rules/challenge/step-judgement.ts'
import type { Verdict } from '#models/rules/verdict.ts'
import type { KioskCaller } from '#server/accounts/caller.ts'
import type { Verifications } from '#server/configuration/verifications.ts'
import { mostTries, type SessionRead } from '#server/sessions/access.ts'
import type { Completion } from '#server/sessions/judging/completion.ts'
import type { Judging } from '#server/sessions/judging/judging.ts'
import { rulesOf, wantedOf } from '#server/sessions/judging/rules.ts'
import type { Decide } from '#server/sessions/judging/submission.ts'
import type { Watch } from '#server/sessions/judging/watch.ts'
import type { SessionRecord } from '#server/sessions/record.ts'
import { emptyVerdict } from '#server/sessions/results/outcome.ts'
import type { SessionStore } from '#server/sessions/session-store.ts'
import type { Clock, Store } from '#server/store/store.ts'
import type { Turns } from '#server/store/turns.ts'
import type { submitKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Handler, ResultOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { judgeCapture } from './capture-judgement.ts'
import { captureRefused, type OpenCapture, sealedFaults } from './capture-opening.ts'
import { busyCapture, type TakeCapture, type TakenCapture } from './capture-sessions.ts'
import type { CaptureRecord, CaptureStore } from './capture-store.ts'
import type { KioskReports } from './kiosk-reports.ts'
import { verificationNotFound } from './provisions.ts'

type Answer = ResultOf<typeof submitKiosk>

interface Dependencies {
  store: Store
  captures: CaptureStore
  sessions: SessionStore
  verifications: Pick<Verifications, 'find'>
  openCapture: OpenCapture
  takeCapture: TakeCapture
  reports: KioskReports
  completion: Pick<Completion, 'complete'>
  judging: Judging
  turns: Turns
  watch: Watch
  judgeStep: JudgeStep
  decide: Decide
  allowedActions: readonly Action[]
  now: Clock
}

/**
 * Takes a capture, decides its session and answers the verdict; what is sent again is answered the same.
 * [Note: Exactly once] A capture is taken in one commit and decided in another, which also writes the answer and counts
 * it. Between the two whoever is killed leaves a session that is not decided: the kiosk has had no answer, so it sends again.
 */
export function createSubmitKiosk(services: Dependencies): Handler<typeof submitKiosk, KioskCaller> {
  const { store, captures, sessions, verifications, openCapture, takeCapture, reports } = services
  const { completion, judging, turns, watch, judgeStep, decide, allowedActions, now } = services

  async function refuseOrphaned({ accountId, kiosk }: KioskCaller): Promise<void> {
    if ((await verifications.find(accountId, kiosk.verificationId)) === undefined)
      throw verificationNotFound()
  }

  async function readSession(accountId: string, sessionId: string): Promise<SessionRead> {
    const read = await sessions.read(accountId, sessionId)
    if (read === undefined) throw busyCapture()
    return read
  }

  /** What the verdict is, and how the session went until then. */
  async function judge(taken: TakenCapture, session: SessionRecord) {
    if (!taken.capture.consent.given) return { session, verdict: emptyVerdict('consentDeclined') }
    const settled = rulesOf(session.settings)
    const wanted = wantedOf(settled, allowedActions)
    const seen = await watch(taken.pictures, { session, wanted, receivedAt: now() })
    const { liveness } = session.settings.verifiers
    const { progress, observations } = judgeCapture({
      capture: taken.capture,
      plan: settled.liveness ? taken.plan : undefined,
      allowAlternative: liveness?.allowAlternative ?? false,
      observations: seen,
      judgeStep,
    })
    const isPassive = taken.capture.plan === null && liveness?.allowPassiveOffline === true
    const challengeActionCount = isPassive
      ? 0
      : ((settled.liveness ? taken.plan?.actionCount : undefined) ?? settled.challengeActionCount)
    const steps = progress.answered.map(({ answer: _answer, ...step }) => step)
    const verdict: Verdict = decide({ rules: { ...settled, challengeActionCount }, steps, observations })
    return { session: { ...session, progress }, verdict }
  }

  /** The session, decided; undefined where somebody else changed it meanwhile. */
  async function decided(taken: TakenCapture, caller: KioskCaller, by: string) {
    const { accountId } = caller
    const read = await judging.unjudged(() => readSession(accountId, taken.record.sessionId), by)
    if (read.value.outcome !== null) return read.value
    const marked = await judging.mark(read, read.value, by)
    if (marked === undefined) return undefined
    const { session, verdict } = await judging.release(marked, () => judge(taken, marked.value))
    return completion.complete(marked, { ...session, judging: null }, verdict)
  }

  /** A picture that cannot be decoded is known only now: what was begun with it goes. */
  async function drop({ record }: TakenCapture, { accountId }: KioskCaller): Promise<void> {
    await store.commit([...sessions.erase(accountId, record.sessionId), captures.drop(record)], [])
  }

  async function submit(captureId: string, sealed: string, caller: KioskCaller): Promise<Answer> {
    const { kiosk } = caller
    const by = randomUUID()
    for (let tries = 0; tries < mostTries; tries++) {
      const known = (await captures.read(kiosk.kioskId, captureId))?.value
      if (known !== undefined && known.answer !== null) return answerOf(known, known.answer)
      await refuseOrphaned(caller)
      const taken = await takeCapture(await openCapture(sealed, kiosk, captureId), sealed, kiosk)
      const done = await decided(taken, caller, by).catch(async (error) => {
        if (!isUnreadable(error)) throw error
        await drop(taken, caller)
        throw captureRefused(sealedFaults(error))
      })
      if (done === undefined) continue
      const { verificationResult, kiosk: told } = done.outcome!.result
      return answerOf(taken.record, { verificationResult, differs: told?.differs ?? false })
    }
    throw busyCapture()
  }

  return async ({ body: { captureId, sealed }, caller }) => {
    await reports.see(caller.kioskId)
    return turns.take(`${caller.kioskId}/${captureId}`, () => submit(captureId, sealed, caller))
  }
}

function answerOf(
  { captureId, sessionId }: CaptureRecord,
  answer: NonNullable<CaptureRecord['answer']>,
): Answer {
  return { captureId, verificationSessionId: sessionId, ...answer }
}

function isUnreadable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'unreadable_image'
}
