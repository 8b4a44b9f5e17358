import type { Observation } from '#models/rules/observation.ts'
import type { KioskCaller, KioskRecord } from '#server/features/callers/callers.ts'
import {
  type SessionRead,
  type SessionRecord,
  type SessionStore,
  type Submit,
  type Submitter,
  testSubmission,
} from '#server/features/sessions/sessions.ts'
import type { submitKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import type { Handler, ResultOf } from '#shared/endpoint.ts'
import type { Problem } from '#shared/problem.ts'
import { judgeCapture } from './capture-judgement.ts'
import { captureRefused, sealedFaults } from './capture-opening.ts'
import { busyCapture, digestOf, refuseOther, type TakeCapture } from './capture-sessions.ts'
import { answerOf, type CaptureRecord, type CaptureStore } from './capture-store.ts'
import type { KioskReports } from './kiosk-reports.ts'

type Answer = ResultOf<typeof submitKiosk>

interface Dependencies {
  captures: CaptureStore
  sessions: SessionStore
  takeCapture: TakeCapture
  submit: Submit
  reports: Pick<KioskReports, 'see'>
}

interface SealedCapture {
  readonly captureId: string
  readonly sealed: string
  readonly kiosk: KioskRecord
}

/**
 * Accepts a capture, decides its session and returns the verdict; a repeat gets the same answer. [Note: Exactly once] A
 * capture is accepted in one commit and decided in another, which also writes and counts the answer. A process killed
 * between the two leaves an undecided session. As the kiosk has not received an answer, it sends the capture again.
 */
export function createSubmitKiosk(services: Dependencies): Handler<typeof submitKiosk, KioskCaller> {
  return async ({ body: { captureId, sealed }, caller: { kiosk } }) => {
    await services.reports.see(kiosk.kioskId)
    return services.submit(submitterOf(services, { captureId, sealed, kiosk }))
  }
}

/** A capture's first steps, which also create its session. */
function submitterOf(
  { captures, sessions, takeCapture }: Dependencies,
  { captureId, sealed, kiosk }: SealedCapture,
): Submitter<Answer> {
  const { accountId, kioskId } = kiosk

  async function readSession({ sessionId }: CaptureRecord): Promise<SessionRead> {
    const read = await sessions.read(accountId, sessionId)
    if (read === undefined) throw busyCapture()
    return read
  }

  return {
    key: `${kioskId}/${captureId}`,
    busy: busyCapture,
    async load() {
      const known = await captures.get(kioskId, captureId)
      if (known !== undefined && known.answer !== null) {
        refuseOther(known, digestOf(sealed))
        return { known: shown(known, known.answer) }
      }
      const taken = await takeCapture(captureId, sealed, kiosk)
      const { pictures, trail } = taken
      return {
        read: () => readSession(taken.record),
        admit(record) {
          if (record.outcome !== null) return null
          if (record.test !== undefined)
            return testSubmission(record, { hasPictures: pictures.length > 0, acceptsRetry: false })
          const judge = (judged: SessionRecord, seen: readonly Observation[]) =>
            judgeCapture(taken, judged, seen)
          return { kind: 'capture', record, pictures, trail, judge }
        },
        /** An undecodable picture is only discovered during analysis. The session begun with it is removed. */
        async refuseUnreadable(fault: Problem) {
          await captures.drop(taken.record, sessions.erase(accountId, taken.record.sessionId))
          return captureRefused(sealedFaults(fault))
        },
        answer: (decided) => shown(taken.record, answerOf(decided.outcome!)),
      }
    },
  }
}

function shown({ captureId, sessionId }: CaptureRecord, answer: CaptureRecord['answer']): Answer {
  return { captureId, verificationSessionId: sessionId, ...answer! }
}
