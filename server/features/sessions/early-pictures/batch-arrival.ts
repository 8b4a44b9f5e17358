import { createHash } from 'node:crypto'
import type { SessionCaller } from '#server/features/callers/callers.ts'
import { refuseFollower } from '#server/features/sessions/access/holder.ts'
import { busy, refuseEnded } from '#server/features/sessions/access/refusals.ts'
import type { ReadSession, SessionRead } from '#server/features/sessions/access/session-reader.ts'
import { savePictures } from '#server/features/sessions/access/session-start.ts'
import { visitorIn } from '#server/features/sessions/access/visitor.ts'
import type { BatchSubmission } from '#server/features/sessions/pictures/submission.ts'
import { trailSoFar } from '#server/features/sessions/pictures/trail-so-far.ts'
import { reaching, type SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import type { DecodeBase64 } from '#server/platform/http/requests/base64/base64-thread.ts'
import { framesOfStep, readFrames } from '#server/platform/http/requests/pictures/frames.ts'
import { readTrail, refuseLongTrail, type TrailSoFar } from '#server/platform/http/requests/pictures/trail.ts'
import type { ByteBudget } from '#server/platform/running/byte-budget.ts'
import type { Store } from '#server/platform/store/store.ts'
import type { GuardedRecord } from '#server/platform/store/tables.ts'
import { beginTransaction } from '#server/platform/store/transaction.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { handInLimits, type submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import type { BodyOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { EarlyAnalysis } from './early-analysis.ts'
import type { Batch, Intake, Intakes } from './intake.ts'
import type { Pulse } from './pulse.ts'

type Body = BodyOf<typeof submitPictures>

export interface BatchServices {
  readonly readSession: ReadSession
  readonly store: Pick<Store, 'commit'>
  readonly sessions: SessionStore
  readonly events: Pick<Events, 'prepare'>
  readonly intakes: Pick<Intakes, 'read' | 'found' | 'write'>
  readonly analysis: Pick<EarlyAnalysis, 'add' | 'expect' | 'isIdle'>
  readonly pulse: Pulse
  /** The memory for pictures waiting to be analysed. */
  readonly budget: Pick<ByteBudget, 'open'>
  readonly decodeBase64: DecodeBase64 | undefined
}

/** A call that sends a batch. */
export interface BatchCall {
  readonly body: Body
  readonly caller: SessionCaller
  /** Milliseconds since 1970. */
  readonly receivedAt: number
}

/** Records a batch and has it analysed. A batch that arrived before is a no-op. */
export type AcceptBatch = (call: BatchCall) => Promise<void>

/** A batch's pictures once they are decoded, and whether they were passed on to the analysis. */
interface HeldBatch {
  submission?: BatchSubmission
  isHandedOn?: true
}

/** `elsewhere`: another process has the batch, and has not analysed it yet. */
type Arrival = 'settled' | 'elsewhere'

const lookAgainMilliseconds = 1000

export function createAcceptBatch(services: BatchServices): AcceptBatch {
  const { analysis } = services
  const arrive = createArrive(services)

  /** [Note: Its process may be dying] The pictures are kept until that process has analysed them, or is known to be dead. */
  async function standBy(call: BatchCall, held: HeldBatch): Promise<void> {
    let arrival: Arrival = 'elsewhere'
    while (arrival === 'elsewhere') {
      await new Promise((over) => setTimeout(over, lookAgainMilliseconds).unref())
      arrival = await arrive(call, held)
    }
  }

  return async (call) => {
    const held: HeldBatch = {}
    const done = analysis.expect(call.caller)
    const free = () => {
      if (held.isHandedOn === undefined) held.submission?.lease.free()
      done()
    }
    let arrival: Arrival = 'settled'
    try {
      arrival = await arrive(call, held)
    } finally {
      if (arrival === 'settled') free()
    }
    if (arrival === 'settled') return
    // The step may be over by then, which leaves nothing to do.
    void standBy(call, held)
      .catch(() => undefined)
      .finally(free)
  }
}

function createArrive(services: BatchServices) {
  const { readSession, analysis, pulse } = services
  return ({ body, caller, receivedAt }: BatchCall, held: HeldBatch): Promise<Arrival> =>
    retryOnConflict<Arrival>(async () => {
      const read = await readSession(caller)
      const { value: record } = read
      refuseFollower(record, caller.device)
      const intake = await services.intakes.read(record)
      const known = knownBatch(intake.value, body)
      if (known === 'judged') return 'settled'
      refuseEnded(record, receivedAt)
      if (openStepOf(record, receivedAt) !== body.step) throw notOpen()
      if (known !== undefined && (await isSettled(services, record, intake.value, known))) return 'settled'
      const isElsewhere = known !== undefined && (await pulse.isAlive(known.by))
      const soFar = soFarOf(body, { record, intake: intake.value, receivedAt })
      try {
        if (held.submission !== undefined) await refuseTooMany(held.submission, soFar)
        held.submission ??= await readSubmission(services, body, record, soFar)
      } catch (error) {
        if (isElsewhere && error instanceof Problem) return 'settled'
        throw error
      }
      const { submission } = held
      if (known !== undefined && known.digest !== submission.digest) return 'settled'
      if (record.test !== undefined && record.state !== 'Created') return 'settled'
      if (isElsewhere && known.spare === pulse.by) return 'elsewhere'
      await pulse.begin(analysis.isIdle)
      const batch = isElsewhere
        ? { ...known, spare: pulse.by }
        : batchOf(body, submission, known?.receivedAt ?? receivedAt, pulse.by)
      const session = await takeIn(services, { read, intake, batch, caller, receivedAt })
      if (session === undefined) return undefined
      if (isElsewhere) return 'elsewhere'
      if (record.test === undefined) {
        analysis.add({ session, intakeId: intake.value.id, batch, submission })
        held.isHandedOn = true
      }
      return 'settled'
    }, busy)
}

/** True if a batch that arrived before needs nothing more: it is analysed, or this process is analysing it. */
async function isSettled(
  { intakes, pulse }: BatchServices,
  record: SessionRecord,
  intake: Intake,
  known: Batch,
): Promise<boolean> {
  return known.by === pulse.by || (await intakes.found(record, intake, known)) !== undefined
}

/**
 * The step that is waiting for pictures: after the last action, the last step, as in `submit-session`. [Note: Arrival counts] A picture in flight
 * when that action was accepted belongs neither to the action nor to the look after it.
 */
function openStepOf({ progress }: SessionRecord, receivedAt: number): number | undefined {
  if (progress.open !== null) return progress.open.step
  const last = progress.answered.at(-1)
  return last !== undefined && receivedAt >= (last.judgedAt ?? last.answeredAt) ? last.step : undefined
}

function notOpen(): Problem {
  return new Problem(
    'step_not_open',
    'Pictures are taken for the open step alone; get-session says which one it is.',
  )
}

/** The batch with this number that arrived earlier; `judged` if its step has ended since. */
function knownBatch({ batches, judged }: Intake, { step, batch }: Body): Batch | 'judged' | undefined {
  if (judged?.step === step && judged.batches.includes(batch)) return 'judged'
  return batches.find((one) => one.step === step && one.batch === batch)
}

/** The pictures that count against a batch's limits. */
interface SoFar {
  readonly frames: number
  readonly trail: TrailSoFar
}

function soFarOf(
  { step, batch }: Body,
  { record, intake, receivedAt }: { record: SessionRecord; intake: Intake; receivedAt: number },
): SoFar {
  const others = intake.batches.filter((one) => one.step !== step || one.batch !== batch)
  const before = (of: 'frames' | 'trail') => others.reduce((sum, one) => sum + one[of], 0)
  const trail = trailSoFar(record, receivedAt, { trailCount: before('trail') })
  return { frames: record.frameCount + before('frames'), trail }
}

/**
 * Checks the counts of decoded pictures. [Note: Counted again] Other batches may have arrived in the meantime.
 * @throws {Problem} 400
 */
async function refuseTooMany({ pictures, trail }: BatchSubmission, soFar: SoFar): Promise<void> {
  await readFrames([], soFar.frames + pictures.length)
  refuseLongTrail(trail.length, soFar.trail)
}

/** Checks and decodes the pictures. @throws {Problem} 400 if a limit is exceeded, 413, or 503 if there is not enough memory */
async function readSubmission(
  { budget, decodeBase64 }: BatchServices,
  body: Body,
  record: SessionRecord,
  soFar: SoFar,
): Promise<BatchSubmission> {
  const pictures = await readFrames(framesOfStep(body.step, body.frames), soFar.frames, decodeBase64)
  const trail = await readTrail(body.trail, soFar.trail, decodeBase64)
  const all = [...pictures, ...trail]
  const bytes = all.reduce((sum, picture) => sum + picture.bytes.length, 0)
  if (bytes > handInLimits.bytes)
    throw new Problem('body_too_large', 'The pictures of a batch must be at most 4 MB.')
  const lease = budget.open([{ name: record.sessionId, mostBytes: handInLimits.bytes }])
  lease.take(bytes)
  const digest = createHash('sha256')
  for (const picture of all) digest.update(`${picture.time}/${picture.bytes.length}/`).update(picture.bytes)
  return { kind: 'batch', pictures, trail, digest: digest.digest('base64url'), lease }
}

function batchOf(
  { step, batch }: Body,
  { pictures, trail, digest }: BatchSubmission,
  receivedAt: number,
  by: string,
): Batch {
  return { step, batch, frames: pictures.length, trail: trail.length, receivedAt, digest, by }
}

interface BatchArrival {
  readonly read: SessionRead
  readonly intake: GuardedRecord<Intake>
  readonly batch: Batch
  readonly caller: SessionCaller
  readonly receivedAt: number
}

/** Records that a batch arrived, unless the session or the intake has changed since it was read. Returns the updated session. */
async function takeIn(
  services: BatchServices,
  { read, intake, batch, caller, receivedAt }: BatchArrival,
): Promise<SessionRecord | undefined> {
  const { value: record } = read
  const transaction = beginTransaction(services.store)
  transaction.hold(read.guard, intake.guard)
  if (record.test === undefined) {
    const others = intake.value.batches.filter((one) => one.batch !== batch.batch || one.step !== batch.step)
    const isAgain = others.length < intake.value.batches.length
    const batches = isAgain
      ? intake.value.batches.map((one) => (others.includes(one) ? one : batch))
      : [...others, batch]
    transaction.write(services.intakes.write(record, { ...intake.value, batches }))
  }
  const begun = record.state === 'Created' ? beginning(record, caller, receivedAt) : record
  const { send } =
    begun === record
      ? { send: () => {} }
      : await savePictures(services, transaction, { before: read, record: begun })
  if (!(await transaction.commit())) return undefined
  send()
  return begun
}

/** The session after its first pictures arrive. */
function beginning(record: SessionRecord, caller: SessionCaller, at: number): SessionRecord {
  const reached = reaching(record, ['consented', 'firstPicture'], at)
  return { ...record, ...reached, state: 'Started', ...visitorIn(caller) }
}
