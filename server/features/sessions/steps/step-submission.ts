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
import {
  busy,
  keyOf,
  type ReadSession,
  refuseEnded,
  type SessionRead,
} from '#server/features/sessions/access.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import type { HandedIn, HandedInPictures } from '#server/features/sessions/handed-in/handed-in.ts'
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
import { framesOfStep, type Picture, readFrames } from '#server/platform/http/requests/pictures/frames.ts'
import { readTrail, type TrailPicture } from '#server/platform/http/requests/pictures/trail.ts'
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
type RequestBody = Body & { request: 'moreTime' | 'otherAction' }

interface Dependencies {
  readSession: ReadSession
  store: Pick<Store, 'commit'>
  sessions: SessionStore
  mutex: KeyedMutex
  analyseSubmission: AnalyseSubmission
  handedIn: HandedInPictures
  events: Pick<Events, 'prepare'>
  evidence: Pick<Evidence, 'gather'>
  allowedActions: readonly Action[]
  decodeBase64: DecodeBase64 | undefined
  now: Clock
}

/** A request's pictures, decoded and checked. */
interface Brought {
  readonly pictures: readonly Picture[]
  readonly trail: readonly TrailPicture[]
}

async function bringIn(
  { step, frames, trail }: Body,
  record: SessionRecord,
  handedIn: HandedIn,
  receivedAt: number,
  decode?: DecodeBase64,
): Promise<Brought> {
  if (frames.length + handedIn.frameCount === 0)
    throw Problem.at('#/frames', 'At least one frame is required.')
  const ofStep = framesOfStep(step, frames)
  const filmed = trailSoFar(record, receivedAt, handedIn)
  return {
    pictures: await readFrames(ofStep, record.frameCount + handedIn.frameCount, decode),
    trail: await readTrail(trail, filmed, decode),
  }
}

function outOfOrder(): Problem {
  const detail = 'This is not the step that is expected; get-session says which one is.'
  return new Problem('step_out_of_order', detail)
}

/** A request, and the work kept between attempts to commit it. */
interface Attempt {
  readonly body: Body
  readonly caller: SessionCaller
  readonly receivedAt: number
  readonly kept: { brought?: Brought }
}

function drawnFor({ allowedActions }: Dependencies, { acceptsSizes = false }: Body) {
  return drawFor(allowedActions, acceptsSizes)
}

/** [Note: Time is bounded] Beyond what a person may ask for, the clock keeps running and the answer reports the remaining time. */
async function answerRequest(
  services: Dependencies,
  body: RequestBody,
  read: SessionRead,
): Promise<StepAnswer | undefined> {
  const { sessions, now } = services
  const { progress, settings } = read.value
  const open = progress.open!
  if (open.action === null || body.frames.length + (body.trail ?? []).length > 0)
    throw Problem.at('#/request', 'Is allowed only during an action, and without frames or a trail.')
  const allowAlternative = settings.verifiers.liveness?.allowAlternative ?? false
  const plan = { allowAlternative, draw: drawnFor(services, body), now: now() }
  const restarted = restart(progress, body.request, plan)
  if (restarted === undefined) return { next: nextStepOf(open, now()), accepted: false }
  const replaced = await sessions.replace(read, { ...read.value, progress: restarted })
  return replaced ? { next: nextStepOf(restarted.open!), accepted: true } : undefined
}

/** [Note: A reloaded page begins again] Its camera restarts, and its picture times restart with it. */
async function startOver(
  { store, handedIn, sessions, now }: Dependencies,
  { frames, trail = [] }: Body,
  read: SessionRead,
): Promise<StepAnswer | undefined> {
  if (frames.length + trail.length > 0)
    throw Problem.at('#/request', 'Is allowed only without frames and a trail.')
  const progress = beginAgain(read.value.progress, now())
  const transaction = beginTransaction(store)
  await handedIn.drop(transaction, read.value)
  sessions.save(transaction, read, { ...read.value, progress })
  if (!(await transaction.commit())) return undefined
  const { open } = progress
  return { next: open === null || open.action === null ? null : nextStepOf(open), accepted: true }
}

/** Accepts one step's frames, judges the step and reveals the next action. */
export function createSubmitStep(services: Dependencies): SubmitStep {
  const { readSession, mutex, analyseSubmission, decodeBase64, now } = services
  async function answerFrames(
    { body, caller, receivedAt, kept }: Attempt,
    read: SessionRead,
  ): Promise<StepAnswer | undefined> {
    const record = read.value
    const handedIn = await services.handedIn.collect(record)
    kept.brought ??= await bringIn(body, record, handedIn, receivedAt, decodeBase64)
    const { pictures, trail } = kept.brought
    await readFrames([], record.frameCount + handedIn.frameCount + pictures.length)
    const submitted = { pictures, trail, handedIn }
    const { seen, film } = await analyseSubmission(submitted, record, receivedAt)
    // Pictures that arrived during this request are judged as well.
    const answeredAt = Math.max(receivedAt, handedIn.lastArrival)
    const during = sinceExchange(seen, record)
    const judged = judgedAs(record, { before: record.observations, during, answeredAt })
    const { challengeActionCount: actionCount } = rulesOf(record.settings)
    const draw = drawnFor(services, body)
    const progress = advance(record.progress, judged, { actionCount, draw, now: now() })
    const observed = { progress, observations: [...record.observations, ...seen], trail: film }
    const frames = record.test === undefined ? handedIn.frameCount + pictures.length : 0
    const changed = { ...begun(record, frames, receivedAt), ...observed, ...visitorIn(caller) }
    const transaction = beginTransaction(services.store)
    handedIn.hold(transaction)
    handedIn.judged(transaction, body.step)
    const { send } = await savePictures(services, transaction, { before: read, record: changed })
    if (!(await transaction.commit())) return undefined
    send()
    const asOpen = { ...changed, progress: record.progress }
    services.evidence.gather(asOpen, { pictures, film: trail, seen }, changed.tries + 1)
    return answerTo(progress, body.step)
  }

  async function attempt(asked: Attempt): Promise<StepAnswer | undefined> {
    const { body, caller, receivedAt } = asked
    const read = await readSession(caller)
    const { progress } = read.value
    refuseFollower(read.value, caller.device)
    if (body.request === 'startOver') {
      refuseEnded(read.value, receivedAt)
      if ((progress.open ?? progress.answered.at(-1))?.step !== body.step) throw outOfOrder()
      return startOver(services, body, read)
    }
    const known = answerTo(progress, body.step)
    if (known !== undefined) return known
    refuseEnded(read.value, receivedAt)
    if (progress.open?.step !== body.step) throw outOfOrder()
    if (isRequest(body)) return answerRequest(services, body, read)
    return answerFrames(asked, read)
  }

  return async ({ body, caller }) => {
    const asked: Attempt = { body, caller, receivedAt: now(), kept: {} }
    return mutex.runExclusive(keyOf(caller), () => retryOnConflict(() => attempt(asked), busy))
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
function judgedAs({ test, progress }: SessionRecord, answer: Parameters<typeof judgeOpen>[1]): StepJudgement {
  if (test === undefined) return judgeOpen(progress, answer)
  const reason = progress.open?.action == null ? null : 'performed'
  return { accepted: true, reason, answeredAt: answer.answeredAt }
}

function isRequest(body: Body): body is RequestBody {
  return body.request === 'moreTime' || body.request === 'otherAction'
}
