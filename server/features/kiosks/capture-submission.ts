import type { KioskCaller, KioskRecord } from '#server/features/callers/callers.ts'
import type { SessionRead } from '#server/features/sessions/access.ts'
import type { Decide, SubmitInTurn } from '#server/features/sessions/judging/submission-flow.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { submitKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import type { Handler, ResultOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { judgeCapture } from './capture-judgement.ts'
import { captureRefused, sealedFaults } from './capture-opening.ts'
import { busyCapture, type TakeCapture } from './capture-sessions.ts'
import { answerOf, type CaptureRecord, type CaptureStore } from './capture-store.ts'
import type { KioskReports } from './kiosk-reports.ts'

type Answer = ResultOf<typeof submitKiosk>

interface Dependencies {
  captures: CaptureStore
  sessions: SessionStore
  takeCapture: TakeCapture
  submitInTurn: SubmitInTurn
  reports: Pick<KioskReports, 'see'>
}

/**
 * Takes a capture, decides its session and answers the verdict; what is sent again is answered the same.
 * [Note: Exactly once] A capture is taken in one commit and decided in another, which also writes the answer and counts
 * it. Between the two whoever is killed leaves a session that is not decided: the kiosk has had no answer, so it sends again.
 */
export function createSubmitKiosk(services: Dependencies): Handler<typeof submitKiosk, KioskCaller> {
  const { captures, sessions, takeCapture, submitInTurn, reports } = services

  async function readSession({ accountId }: KioskRecord, { sessionId }: CaptureRecord): Promise<SessionRead> {
    const read = await sessions.read(accountId, sessionId)
    if (read === undefined) throw busyCapture()
    return read
  }

  /** A picture that cannot be decoded is known only when it is looked at: what was begun with it goes. */
  async function drop({ accountId }: KioskRecord, capture: CaptureRecord, unreadable: Problem) {
    await captures.drop(capture, sessions.erase(accountId, capture.sessionId))
    return captureRefused(sealedFaults(unreadable))
  }

  async function attempt(captureId: string, sealed: string, kiosk: KioskRecord, decide: Decide) {
    const known = (await captures.read(kiosk.kioskId, captureId))?.value
    if (known !== undefined && known.answer !== null) return shown(known, known.answer)
    const taken = await takeCapture(captureId, sealed, kiosk)
    const done = await decide({
      read: () => readSession(kiosk, taken.record),
      // A kiosk's visits are all before one background: nothing is kept of them to compare others with.
      handIn: (record) => ({ record, pictures: taken.pictures, trail: taken.trail, isRemembered: false }),
      judge: (record, seen) => judgeCapture(taken, record, seen),
    }).catch(async (error) => {
      throw isUnreadable(error) ? await drop(kiosk, taken.record, error) : error
    })
    return done && shown(taken.record, answerOf(done.outcome!))
  }

  return async ({ body: { captureId, sealed }, caller: { kiosk } }) => {
    const { kioskId } = kiosk
    await reports.see(kioskId)
    return submitInTurn(`${kioskId}/${captureId}`, busyCapture, (decide) =>
      attempt(captureId, sealed, kiosk, decide),
    )
  }
}

function shown({ captureId, sessionId }: CaptureRecord, answer: CaptureRecord['answer']): Answer {
  return { captureId, verificationSessionId: sessionId, ...answer! }
}

function isUnreadable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'unreadable_image'
}
