import { randomUUID } from 'node:crypto'
import type { Observation } from '#models/rules/observation.ts'
import type { Evidence, Verdict } from '#models/rules/verdict.ts'
import type { SessionCaller } from '#server/accounts/caller.ts'
import { busy, keyOf, mostTries, type ReadSession, sessionExpired } from '#server/sessions/access.ts'
import { refuseFollower, wayBackOf } from '#server/sessions/handoff/holding.ts'
import { readFrames, refuseLongReport } from '#server/sessions/pictures/frames.ts'
import type { SessionRecord } from '#server/sessions/record.ts'
import { emptyVerdict } from '#server/sessions/results/outcome.ts'
import type { Clock } from '#server/store/store.ts'
import type { Turns } from '#server/store/turns.ts'
import type { Action, FailedReason, submitSession } from '#shared/contract/sessions/session.ts'
import type { BodyOf, Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { Completion } from './completion.ts'
import type { Judging } from './judging.ts'
import { rulesOf, wantedOf } from './rules.ts'
import type { Watch } from './watch.ts'

export type SubmitSession = Handler<typeof submitSession, SessionCaller>
type Body = BodyOf<typeof submitSession>

/** The pure verdict. It cannot receive what the device reports. */
export type Decide = (evidence: Evidence) => Verdict

interface Dependencies {
  readSession: ReadSession
  judging: Judging
  completion: Completion
  turns: Turns
  watch: Watch
  decide: Decide
  allowedActions: readonly Action[]
  now: Clock
}

/** Closes a session. The first submit decides; every other one is answered with its result. */
export function createSubmitSession(services: Dependencies): SubmitSession {
  const { readSession, judging, completion, turns, watch, decide, allowedActions, now } = services

  async function observe(body: Body, pictures: Uint8Array[], record: SessionRecord, receivedAt: number) {
    const wanted = wantedOf(rulesOf(record.settings), allowedActions)
    const frames = pictures.map((bytes, i) => ({
      bytes,
      time: body.frames[i]!.time,
      step: body.frames[i]!.challengeStep,
    }))
    return watch(frames, { session: record, wanted, receivedAt })
  }

  async function judge(
    body: Body,
    pictures: Uint8Array[],
    record: SessionRecord,
    receivedAt: number,
  ): Promise<Verdict> {
    const ended = endedBy(body)
    if (ended !== undefined) return emptyVerdict(ended)
    const late = await observe(body, pictures, record, receivedAt)
    return decide(evidenceOf(record, [...record.observations, ...late]))
  }

  async function attempt(
    body: Body,
    caller: SessionCaller,
    receivedAt: number,
    by: string,
  ): Promise<SessionRecord | undefined> {
    const read = await judging.unjudged(() => readSession(caller), by)
    if (read.value.state === 'Expired') throw sessionExpired()
    const isOver = read.value.outcome !== null
    if (!isOver || caller.device !== 0) refuseFollower(read.value, caller.device)
    if (isOver) return read.value
    const pictures = picturesOf(body, read.value)
    const { consent, deviceReport = null } = body
    const submitted = await judging.mark(read, { ...read.value, consent, deviceReport }, by)
    if (submitted === undefined) return undefined
    const record = submitted.value
    const verdict = await judging.release(submitted, () => judge(body, pictures, record, receivedAt))
    return completion.complete(submitted, { ...record, judging: null }, verdict)
  }

  return async ({ body, caller }) => {
    const receivedAt = now()
    const by = randomUUID()
    return turns.take(keyOf(caller), async () => {
      for (let tries = 0; tries < mostTries; tries++) {
        const done = await attempt(body, caller, receivedAt, by)
        if (done === undefined) continue
        const { verificationResult } = done.outcome!.result
        return { verificationResult, redirectUrl: wayBackOf(done, caller.device) }
      }
      throw busy()
    })
  }
}

function evidenceOf({ settings, progress }: SessionRecord, observations: readonly Observation[]): Evidence {
  const steps = progress.answered.map(({ answer: _answer, ...step }) => step)
  return { rules: rulesOf(settings), steps, observations }
}

/** The reason for which a session ends without being judged. */
function endedBy({ consent, problem }: Body): FailedReason | undefined {
  return consent.given ? (problem ?? undefined) : 'consentDeclined'
}

/**
 * The pictures to judge, checked; none where nothing is judged.
 * Empty frames are enough only there, or where the steps brought them already.
 */
function picturesOf(body: Body, record: SessionRecord): Uint8Array[] {
  refuseLongReport(body.deviceReport)
  if (endedBy(body) !== undefined) return []
  if (body.frames.length + record.frameCount === 0)
    throw refused('#/frames', 'At least one frame is required.')
  const lastRevealed = record.progress.drawn.length === 0 ? 0 : highestStep(record)
  const early = body.frames.findIndex((frame) => frame.challengeStep > lastRevealed)
  if (early >= 0) throw refused(`#/frames/${early}/challengeStep`, 'Must be a step that was revealed.')
  return readFrames(body.frames, record.frameCount)
}

function highestStep({ progress }: SessionRecord): number {
  return Math.max(progress.open?.step ?? 0, ...progress.answered.map(({ step }) => step))
}

function refused(pointer: string, message: string): Problem {
  return new Problem('invalid_request', message, { errors: [{ pointer, message }] })
}
