import type { SessionCaller } from '#server/features/callers/callers.ts'
import { isHeldBy, openerOf, refuseFollower, wayBackOf } from '#server/features/sessions/access/holder.ts'
import { busy, sessionExpired } from '#server/features/sessions/access/refusals.ts'
import { keyOf, type ReadSession } from '#server/features/sessions/access/session-reader.ts'
import { visitorIn } from '#server/features/sessions/access/visitor.ts'
import type { EarlyPictures } from '#server/features/sessions/early-pictures/early-pictures.ts'
import { attemptsLeftAfter } from '#server/features/sessions/judging/further-try.ts'
import type { Submit } from '#server/features/sessions/judging/submit.ts'
import {
  type FinalSubmission,
  noPictures,
  type TestSubmission,
} from '#server/features/sessions/pictures/submission.ts'
import { trailSoFar } from '#server/features/sessions/pictures/trail-so-far.ts'
import {
  type Milestone,
  reaching,
  type SessionRecord,
  type TestSession,
} from '#server/features/sessions/records/session-record.ts'
import { testSubmission } from '#server/features/sessions/testing/test-session.ts'
import type { DecodeBase64 } from '#server/platform/http/requests/base64/base64-thread.ts'
import { type Picture, readFrames, refuseLongReport } from '#server/platform/http/requests/pictures/frames.ts'
import { readTrail } from '#server/platform/http/requests/pictures/trail.ts'
import type { FailedReason, submitSession } from '#shared/contract/sessions/session.ts'
import type { BodyOf, Handler, ResultOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

export type SubmitSession = Handler<typeof submitSession, SessionCaller>
type Body = BodyOf<typeof submitSession>

/** Completes a session or starts another try. Submitting a try again returns the original answer. */
export function createSubmitSession(
  readSession: ReadSession,
  submit: Submit,
  earlyPictures: Pick<EarlyPictures, 'collect'>,
  decode?: DecodeBase64,
): SubmitSession {
  return ({ body, caller }) =>
    submit({
      key: keyOf(caller),
      busy,
      load: async () => ({
        read: () => readSession(caller),
        async admit(record, receivedAt) {
          refuse(record, caller)
          if (record.outcome !== null || isAnswered(body, record)) return null
          const submission = await readSubmission(body, record, receivedAt, earlyPictures, decode)
          return { ...submission, record: { ...submission.record, ...visitorIn(caller) } }
        },
        answer: (decided) => answerTo(body, decided, caller),
      }),
    })
}

function answerTo(
  body: Body,
  done: SessionRecord,
  { device }: SessionCaller,
): ResultOf<typeof submitSession> {
  if (isAnswered(body, done)) {
    const attemptsLeft = attemptsLeftAfter(done, numberOf(body))
    return { verificationResult: null, redirectUrl: null, retry: { attemptsLeft } }
  }
  const { verificationResult } = done.outcome!.result
  const isOffered = isHeldBy(done, device) && done.passkey?.isOffered === true
  const offer = isOffered ? { offersPasskey: true } : {}
  return { verificationResult, redirectUrl: wayBackOf(done, device), ...offer }
}

/** The number of the submitted try. */
function numberOf({ try: number }: Body): number {
  return number ?? 1
}

function isLeaving({ leave }: Body): boolean {
  return leave === true
}

/** [Note: A lost answer burns no try] True if this try was already judged and another one was granted. */
function isAnswered(body: Body, { tries, outcome }: SessionRecord): boolean {
  if (isLeaving(body) || endedBy(body) !== undefined) return false
  const number = numberOf(body)
  return outcome === null ? number <= tries : number < tries
}

/** @throws {Problem} if the submission does not fit the session */
async function readSubmission(
  body: Body,
  record: SessionRecord,
  receivedAt: number,
  earlyPictures: Pick<EarlyPictures, 'collect'>,
  decode: DecodeBase64 | undefined,
): Promise<FinalSubmission> {
  const { alternative = null } = record.settings
  if (body.problem === 'alternativeChosen' && alternative === null)
    throw Problem.at('#/problem', 'Requires alternativeConfig in the verification.')
  if (isLeaving(body)) {
    if (record.before === undefined) throw Problem.at('#/leave', 'Requires a previous try that was judged.')
    return { kind: 'leave', record, ...noPictures }
  }
  const reason = endedBy(body)
  if (reason === undefined && numberOf(body) !== record.tries + 1)
    throw new Problem(
      'step_out_of_order',
      'This is not the try that is expected; get-session says which one is.',
    )
  const reported = withReport(record, body, receivedAt)
  if (record.test !== undefined) return readTest(reported, record.test, body, decode)
  if (body.testOutcome !== undefined)
    throw Problem.at('#/testOutcome', 'Is accepted only in sessions of a test account.')
  if (reason !== undefined) {
    refuseLongReport(body.deviceReport)
    return { kind: 'end', record: reported, reason, ...noPictures }
  }
  const early = await earlyPictures.collect(record)
  return {
    kind: 'try',
    record: reported,
    pictures: await readPictures(body, record.frameCount + early.frameCount, record, decode),
    trail: await readTrail(body.trail, trailSoFar(record, receivedAt, early), decode),
    early,
    acceptsRetry: body.acceptsRetry ?? false,
  }
}

/** The device that opened the session gets the result, whichever device holds it at the end. */
function refuse(record: SessionRecord, { device }: SessionCaller): void {
  if (record.state === 'Expired') throw sessionExpired()
  if (record.outcome === null || device !== openerOf(record)) refuseFollower(record, device)
}

function withReport(record: SessionRecord, body: Body, at: number): SessionRecord {
  const { consent, deviceReport, frames } = body
  const milestones: Milestone[] = [
    ...(consent.given ? ['consented' as const] : []),
    ...(frames.length > 0 ? ['firstPicture' as const] : []),
    'submitted',
  ]
  const reached = reaching(record, milestones, at)
  return { ...record, ...reached, consent, deviceReport: deviceReport ?? null }
}

/**
 * A test's submissions are validated and discarded. The outcome is the requested one, the person's choice, or the problem
 * that the device reported.
 */
async function readTest(
  record: SessionRecord,
  test: TestSession,
  body: Body,
  decode: DecodeBase64 | undefined,
): Promise<TestSubmission> {
  const { testOutcome: chosen, problem, acceptsRetry = false } = body
  const hasPictures = body.frames.length > 0
  if (hasPictures) await readPictures(body, record.frameCount, record, decode)
  const outcome = test.outcome ?? chosen ?? (problem === undefined ? null : { result: problem })
  const tested = { ...record, test: { ...test, outcome } }
  return testSubmission(tested, {
    hasPictures,
    acceptsRetry: acceptsRetry && endedBy(body) === undefined,
  })
}

/** The reason that a session ends without being judged. Choosing the alternative does not require consent. */
function endedBy({ consent, problem }: Body): FailedReason | undefined {
  if (problem === 'alternativeChosen') return problem
  return consent.given ? (problem ?? undefined) : 'consentDeclined'
}

/**
 * The validated pictures to judge; empty if nothing is judged. Empty frames are allowed only then, or if the steps have
 * already delivered all frames.
 *
 * [Note: What comes last is of the last step] This applies whatever their label. Otherwise, pictures taken after the
 * challenge could pass as earlier ones, set the age and the face at rest, and evade the rules for the last look.
 */
async function readPictures(
  body: Body,
  alreadySent: number,
  record: SessionRecord,
  decode: DecodeBase64 | undefined,
): Promise<Picture[]> {
  refuseLongReport(body.deviceReport)
  if (endedBy(body) !== undefined) return []
  if (body.frames.length + alreadySent === 0) throw Problem.at('#/frames', 'At least one frame is required.')
  const lastRevealed = record.progress.drawn.length === 0 ? 0 : highestStep(record)
  const early = body.frames.findIndex((frame) => frame.challengeStep > lastRevealed)
  if (early >= 0)
    throw Problem.at(`#/frames/${early}/challengeStep`, 'Must be a step that has been revealed.')
  return readFrames(
    body.frames.map((frame) => ({ ...frame, challengeStep: lastRevealed })),
    alreadySent,
    decode,
  )
}

function highestStep({ progress }: SessionRecord): number {
  return Math.max(progress.open?.step ?? 0, ...progress.answered.map(({ step }) => step))
}
