import {
  advance,
  answerTo,
  type Draw,
  nextStepOf,
  restart,
  type StepAnswer,
} from '#models/rules/challenge/progress.ts'
import { judgeOpen } from '#models/rules/challenge/step-judgement.ts'
import type { SessionCaller } from '#server/accounts/caller.ts'
import { busy, keyOf, type ReadSession, refuseEnded, type SessionRead } from '#server/sessions/access.ts'
import { refuseFollower } from '#server/sessions/handoff/holding.ts'
import { rulesOf } from '#server/sessions/judging/rules.ts'
import type { Watch } from '#server/sessions/judging/watch.ts'
import type { WatchTrail } from '#server/sessions/judging/watch-trail.ts'
import { readFrames } from '#server/sessions/pictures/frames.ts'
import { readTrail } from '#server/sessions/pictures/trail.ts'
import type { SessionRecord } from '#server/sessions/record.ts'
import type { SessionStore } from '#server/sessions/session-store.ts'
import { contended } from '#server/store/contended.ts'
import type { Clock } from '#server/store/store.ts'
import type { Turns } from '#server/store/turns.ts'
import type { Action, submitStep } from '#shared/contract/sessions/session.ts'
import type { BodyOf, Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { drawAction } from './plan.ts'

export type SubmitStep = Handler<typeof submitStep, SessionCaller>
type Body = BodyOf<typeof submitStep>
type RequestBody = Body & { request: NonNullable<Body['request']> }

interface Dependencies {
  readSession: ReadSession
  sessions: SessionStore
  turns: Turns
  watch: Watch
  watchTrail: WatchTrail
  allowedActions: readonly Action[]
  now: Clock
}

/** Takes the frames of one step, judges it and reveals the next action. */
export function createSubmitStep(services: Dependencies): SubmitStep {
  const { readSession, sessions, turns, watch, watchTrail, allowedActions, now } = services
  const draw: Draw = (drawn) => drawAction(allowedActions, drawn)

  async function answerFrames(body: Body, read: SessionRead, receivedAt: number) {
    const record = read.value
    if (body.frames.length === 0) throw Problem.at('#/frames', 'At least one frame is required.')
    const frames = body.frames.map((frame) => ({ ...frame, challengeStep: body.step }))
    const { observations: before, trail = [] } = record
    const pictures = readFrames(frames, record.frameCount)
    const openInMilliseconds = receivedAt - record.created
    const film = readTrail(body.trail, { alreadySent: trail.length, openInMilliseconds })
    const [during, filmed] = await Promise.all([
      watch(pictures, record, receivedAt),
      watchTrail(film, record, receivedAt),
    ])
    const judged = judgeOpen(record.progress, { before, during, answeredAt: receivedAt })
    const { challengeActionCount: actionCount } = rulesOf(record.settings)
    const plan = { actionCount, draw, now: now() }
    const progress = advance(record.progress, judged, plan)
    const changed: SessionRecord = {
      ...record,
      state: 'Started',
      progress,
      frameCount: record.frameCount + during.length,
      observations: [...before, ...during],
      trail: [...trail, ...filmed],
    }
    return (await sessions.replace(read, changed)) ? answerTo(progress, body.step) : undefined
  }

  /** [Note: Time is bounded] Past what a person may ask for, the clock runs on and the answer tells what is left. */
  async function answerRequest(body: RequestBody, read: SessionRead): Promise<StepAnswer | undefined> {
    const { progress, settings } = read.value
    const open = progress.open!
    if (open.action === null || body.frames.length > 0)
      throw Problem.at('#/request', 'May be asked only during an action, and without frames.')
    if (body.trail !== undefined && body.trail.length > 0)
      throw Problem.at('#/trail', 'Comes with frames, and not with a request.')
    const allowAlternative = settings.verifiers.liveness?.allowAlternative ?? false
    const plan = { allowAlternative, draw, now: now() }
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
    refuseEnded(read.value)
    if (progress.open?.step !== body.step) throw new Problem('step_out_of_order', 'Another step is awaited.')
    if (isRequest(body)) return answerRequest(body, read)
    return answerFrames(body, read, receivedAt)
  }

  return async ({ body, caller }) => {
    const receivedAt = now()
    return turns.take(keyOf(caller), () => contended(() => attempt(body, caller, receivedAt), busy))
  }
}

function isRequest(body: Body): body is RequestBody {
  return body.request !== undefined && body.request !== null
}
