import {
  advance,
  answerTo,
  beginAgain,
  nextStepOf,
  restart,
  type StepAnswer,
} from '#models/rules/challenge/progress.ts'
import type { StepJudgement } from '#models/rules/challenge/step.ts'
import { judgeOpen } from '#models/rules/challenge/step-judgement.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { SessionCaller } from '#server/features/callers/callers.ts'
import type { SessionRead } from '#server/features/sessions/access/session-reader.ts'
import { rulesOf } from '#server/features/sessions/access/session-rules.ts'
import { savePictures } from '#server/features/sessions/access/session-start.ts'
import { visitorIn } from '#server/features/sessions/access/visitor.ts'
import type { EarlyPictures } from '#server/features/sessions/early-pictures/early-pictures.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import type { AnalyseSubmission, LookAhead } from '#server/features/sessions/pictures/analyse-submission.ts'
import type {
  EarlyFindings,
  StepSubmission,
  SubmittedPictures,
} from '#server/features/sessions/pictures/submission.ts'
import { trailSoFar } from '#server/features/sessions/pictures/trail-so-far.ts'
import { reaching, type SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import type { DecodeBase64 } from '#server/platform/http/requests/base64/base64-thread.ts'
import { framesOfStep, readFrames } from '#server/platform/http/requests/pictures/frames.ts'
import { readTrail, refuseLongTrail } from '#server/platform/http/requests/pictures/trail.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { beginTransaction } from '#server/platform/store/transaction.ts'
import type { Action, submitStep } from '#shared/contract/sessions/session.ts'
import type { BodyOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { drawFor } from './plan.ts'

type Body = BodyOf<typeof submitStep>
type RequestBody = Body & { request: 'moreTime' | 'otherAction' }

/** A call that submits to the open step, and the pictures decoded for it, which later attempts to commit reuse. */
export interface StepCall {
  readonly body: Body
  readonly caller: SessionCaller
  readonly receivedAt: number
  readonly decoded: { pictures?: SubmittedPictures }
}

/** The answers to a call for the open step. Undefined if another request has changed the session since it was read. */
export interface StepAnswers {
  /** Judges the step by its pictures, and reveals the next action. */
  judge(call: StepCall, read: SessionRead): Promise<StepAnswer | undefined>
  /** Grants more time or another action, within limits. */
  grant(body: RequestBody, read: SessionRead): Promise<StepAnswer | undefined>
  /** Restarts the open step for a page that was reloaded. */
  startOver(body: Body, read: SessionRead): Promise<StepAnswer | undefined>
}

export interface StepServices {
  readonly store: Pick<Store, 'commit'>
  readonly sessions: SessionStore
  readonly analyseSubmission: AnalyseSubmission
  readonly lookAhead: LookAhead
  readonly earlyPictures: EarlyPictures
  readonly events: Pick<Events, 'prepare'>
  readonly evidence: Pick<Evidence, 'gather'>
  readonly allowedActions: readonly Action[]
  readonly decodeBase64: DecodeBase64 | undefined
  readonly now: Clock
}

export function createStepAnswers(services: StepServices): StepAnswers {
  const { store, sessions, now } = services
  return {
    judge: (call, read) => judge(services, call, read),

    /** [Note: Time is bounded] Beyond what a person may ask for, the clock keeps running and the answer reports the remaining time. */
    async grant(body, read) {
      const { progress, settings } = read.value
      const open = progress.open!
      if (open.action === null || body.frames.length + (body.trail ?? []).length > 0)
        throw Problem.at('#/request', 'Is allowed only during an action, and without frames or a trail.')
      const allowAlternative = settings.verifiers.liveness?.allowAlternative ?? false
      const plan = { allowAlternative, draw: drawIn(services, body), now: now() }
      const restarted = restart(progress, body.request, plan)
      if (restarted === undefined) return { next: nextStepOf(open, now()), accepted: false }
      const replaced = await sessions.replace(read, { ...read.value, progress: restarted })
      return replaced ? { next: nextStepOf(restarted.open!), accepted: true } : undefined
    },

    /** [Note: A reloaded page begins again] Its camera restarts, and its picture times restart with it. */
    async startOver({ frames, trail = [] }, read) {
      if (frames.length + trail.length > 0)
        throw Problem.at('#/request', 'Is allowed only without frames and a trail.')
      const progress = beginAgain(read.value.progress, now())
      const transaction = beginTransaction(store)
      await services.earlyPictures.drop(transaction, read.value)
      sessions.save(transaction, read, { ...read.value, progress })
      if (!(await transaction.commit())) return undefined
      const { open } = progress
      return { next: open === null || open.action === null ? null : nextStepOf(open), accepted: true }
    },
  }
}

async function judge(
  services: StepServices,
  { body, caller, receivedAt, decoded }: StepCall,
  read: SessionRead,
): Promise<StepAnswer | undefined> {
  const { store, analyseSubmission, decodeBase64, now } = services
  const record = read.value
  const early = await services.earlyPictures.collect(record, async (arrived) => {
    decoded.pictures ??= await readPictures(body, record, arrived, receivedAt, decodeBase64)
    await services.lookAhead(decoded.pictures, record, receivedAt)
  })
  const submission: StepSubmission = { kind: 'step', early, ...decoded.pictures! }
  const { pictures } = submission
  await readFrames([], record.frameCount + early.frameCount + pictures.length)
  refuseLongTrail(submission.trail.length, trailSoFar(record, receivedAt, early))
  const { seen, film } = await analyseSubmission(submission, record, receivedAt)
  // Pictures that arrived during this request are judged as well.
  const answeredAt = Math.max(receivedAt, early.lastArrival)
  const during = sinceExchange(seen, record)
  const judged = judgeStep(record, { before: record.observations, during, answeredAt })
  const { challengeActionCount: actionCount } = rulesOf(record.settings)
  const draw = drawIn(services, body)
  const progress = advance(record.progress, judged, { actionCount, draw, now: now() })
  const observed = { progress, observations: [...record.observations, ...seen], trail: film }
  const frames = record.test === undefined ? early.frameCount + pictures.length : 0
  const changed = { ...begun(record, frames, receivedAt), ...observed, ...visitorIn(caller) }
  const transaction = beginTransaction(store)
  early.hold(transaction)
  early.markJudged(transaction, body.step)
  const { send } = await savePictures(services, transaction, { before: read, record: changed })
  if (!(await transaction.commit())) return undefined
  send()
  const asOpen = { ...changed, progress: record.progress }
  services.evidence.gather(asOpen, submission, seen, changed.tries + 1)
  return answerTo(progress, body.step)
}

function drawIn({ allowedActions }: StepServices, { acceptsSizes = false }: Body) {
  return drawFor(allowedActions, acceptsSizes)
}

/** Decodes and checks a call's pictures. @throws {Problem} 400 */
async function readPictures(
  { step, frames, trail }: Body,
  record: SessionRecord,
  early: Pick<EarlyFindings, 'frameCount' | 'trailCount'>,
  receivedAt: number,
  decode?: DecodeBase64,
): Promise<SubmittedPictures> {
  if (frames.length + early.frameCount === 0) throw Problem.at('#/frames', 'At least one frame is required.')
  const ofStep = framesOfStep(step, frames)
  const filmed = trailSoFar(record, receivedAt, early)
  return {
    pictures: await readFrames(ofStep, record.frameCount + early.frameCount, decode),
    trail: await readTrail(trail, filmed, decode),
  }
}

/** The session after its first or further pictures. */
function begun(record: SessionRecord, more: number, at: number): SessionRecord {
  const reached = reaching(record, ['consented', 'firstPicture'], at)
  return { ...record, ...reached, state: 'Started', frameCount: record.frameCount + more }
}

/** Pictures that may answer the open action. Any that arrived before an exchange show the replaced action. */
function sinceExchange(seen: readonly Observation[], { progress }: SessionRecord): readonly Observation[] {
  const since = progress.open?.exchangedAt ?? 0
  return seen.filter(({ receivedAt }) => receivedAt >= since)
}

/** [Note: Pixels never decide a test] A test accepts its steps unjudged. */
function judgeStep(
  { test, progress }: SessionRecord,
  answer: Parameters<typeof judgeOpen>[1],
): StepJudgement {
  if (test === undefined) return judgeOpen(progress, answer)
  const reason = progress.open?.action == null ? null : 'performed'
  return { accepted: true, reason, answeredAt: answer.answeredAt }
}

export function isRequest(body: Body): body is RequestBody {
  return body.request === 'moreTime' || body.request === 'otherAction'
}
