import { advance, answerTo, nextStepOf, restart, type StepAnswer } from '#models/rules/challenge/progress.ts'
import type { Judged } from '#models/rules/challenge/step.ts'
import { judgeOpen } from '#models/rules/challenge/step-judgement.ts'
import type { SessionCaller } from '#server/features/callers/callers.ts'
import { refuseFaults } from '#server/features/packs/packs.ts'
import {
  busy,
  keyOf,
  type ReadSession,
  refuseEnded,
  type SessionRead,
} from '#server/features/sessions/access.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import { refuseFollower } from '#server/features/sessions/handoff/holding.ts'
import type { AnalyseSubmission } from '#server/features/sessions/judging/analyse-submission.ts'
import { rulesOf } from '#server/features/sessions/judging/rules.ts'
import { savePictures } from '#server/features/sessions/judging/session-start.ts'
import { visitorIn } from '#server/features/sessions/opening/visitor.ts'
import { trailSoFar } from '#server/features/sessions/pictures/trail-so-far.ts'
import { reaching, type SessionRecord } from '#server/features/sessions/record.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import type { DecodeBase64 } from '#server/platform/http/requests/base64/base64-thread.ts'
import { readFrames } from '#server/platform/http/requests/pictures/frames.ts'
import { readTrail } from '#server/platform/http/requests/pictures/trail.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { beginTransaction } from '#server/platform/store/transaction.ts'
import type { KeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { Action, submitStep } from '#shared/contract/sessions/session.ts'
import type { BodyOf, Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { drawFor } from './plan.ts'

export type SubmitStep = Handler<typeof submitStep, SessionCaller>
type Body = BodyOf<typeof submitStep>
type RequestBody = Body & { request: NonNullable<Body['request']> }

interface Dependencies {
  readSession: ReadSession
  store: Pick<Store, 'commit'>
  sessions: SessionStore
  mutex: KeyedMutex
  analyseSubmission: AnalyseSubmission
  events: Pick<Events, 'prepare'>
  evidence: Pick<Evidence, 'gather'>
  allowedActions: readonly Action[]
  decodeBase64: DecodeBase64 | undefined
  now: Clock
}

async function readStep({ step, frames }: Body, { frameCount }: SessionRecord, decode?: DecodeBase64) {
  if (frames.length === 0) throw Problem.at('#/frames', 'At least one frame is required.')
  refuseOtherSteps(step, frames)
  const ofStep = frames.map((frame) => ({ ...frame, challengeStep: step }))
  return readFrames(ofStep, frameCount, decode)
}

/** Frames of submit-session name their step; pages that build frames in one place send it here as well. @throws {Problem} 400 */
function refuseOtherSteps(step: number, frames: Body['frames']): void {
  const message = 'Must be absent or equal to step.'
  refuseFaults(
    frames.flatMap(({ challengeStep = step }, i) =>
      challengeStep === step ? [] : [{ pointer: `#/frames/${i}/challengeStep`, message }],
    ),
  )
}

function outOfOrder(): Problem {
  const detail = 'This is not the step that is expected; get-session says which one is.'
  return new Problem('step_out_of_order', detail)
}

/** Accepts the frames of one step, judges it and reveals the next action. */
export function createSubmitStep(services: Dependencies): SubmitStep {
  const { readSession, sessions, mutex, analyseSubmission, decodeBase64, now } = services
  const drawnFor = ({ acceptsSizes = false }: Body) => drawFor(services.allowedActions, acceptsSizes)
  async function answerFrames(body: Body, caller: SessionCaller, read: SessionRead, receivedAt: number) {
    const record = read.value
    const pictures = await readStep(body, record, decodeBase64)
    const trail = await readTrail(body.trail, trailSoFar(record, receivedAt), decodeBase64)
    const { seen: during, film } = await analyseSubmission({ pictures, trail }, record, receivedAt)
    const judged = judgedAs(record, { before: record.observations, during, answeredAt: receivedAt })
    const { challengeActionCount: actionCount } = rulesOf(record.settings)
    const progress = advance(record.progress, judged, { actionCount, draw: drawnFor(body), now: now() })
    const seen = { progress, observations: [...record.observations, ...during], trail: film }
    const changed = { ...begun(record, during.length, receivedAt), ...seen, ...visitorIn(caller) }
    const transaction = beginTransaction(services.store)
    const { send } = await savePictures(services, transaction, { before: read, record: changed })
    if (!(await transaction.commit())) return undefined
    send()
    services.evidence.gather(changed, { pictures, film: trail, seen: during }, changed.tries + 1)
    return answerTo(progress, body.step)
  }

  /** [Note: Time is bounded] After the last allowed request, the clock continues and the answer contains the remaining time. */
  async function answerRequest(body: RequestBody, read: SessionRead): Promise<StepAnswer | undefined> {
    const { progress, settings } = read.value
    const open = progress.open!
    if (open.action === null || body.frames.length > 0 || (body.trail ?? []).length > 0)
      throw Problem.at('#/request', 'Is allowed only during an action, and without frames or a trail.')
    const allowAlternative = settings.verifiers.liveness?.allowAlternative ?? false
    const plan = { allowAlternative, draw: drawnFor(body), now: now() }
    const restarted = restart(progress, body.request, plan)
    if (restarted === undefined) return { next: nextStepOf(open, now()), accepted: false }
    const replaced = await sessions.replace(read, { ...read.value, progress: restarted })
    return replaced ? { next: nextStepOf(restarted.open!), accepted: true } : undefined
  }

  async function attempt(
    body: Body,
    caller: SessionCaller,
    receivedAt: number,
  ): Promise<StepAnswer | undefined> {
    const read = await readSession(caller)
    const { progress } = read.value
    refuseFollower(read.value, caller.device)
    const known = answerTo(progress, body.step)
    if (known !== undefined) return known
    refuseEnded(read.value, receivedAt)
    if (progress.open?.step !== body.step) throw outOfOrder()
    if (isRequest(body)) return answerRequest(body, read)
    return answerFrames(body, caller, read, receivedAt)
  }

  return async ({ body, caller }) => {
    const receivedAt = now()
    return mutex.runExclusive(keyOf(caller), () =>
      retryOnConflict(() => attempt(body, caller, receivedAt), busy),
    )
  }
}

/** The session after its first pictures, or further ones. */
function begun(record: SessionRecord, more: number, at: number): SessionRecord {
  const reached = reaching(record, ['consented', 'firstPicture'], at)
  return { ...record, ...reached, state: 'Started', frameCount: record.frameCount + more }
}

/** [Note: Pixels never decide a test] The steps of a test are accepted as they are. */
function judgedAs({ test, progress }: SessionRecord, answer: Parameters<typeof judgeOpen>[1]): Judged {
  if (test === undefined) return judgeOpen(progress, answer)
  const reason = progress.open?.action == null ? null : 'performed'
  return { accepted: true, reason, answeredAt: answer.answeredAt }
}

function isRequest(body: Body): body is RequestBody {
  return body.request !== undefined && body.request !== null
}
