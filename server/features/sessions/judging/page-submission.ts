import { emptyVerdict } from '#models/rules/empty-verdict.ts'
import type { Observation } from '#models/rules/observation.ts'
import { withStanding } from '#models/rules/second-try.ts'
import { verdict } from '#models/rules/verdict.ts'
import type { SessionCaller } from '#server/features/callers/callers.ts'
import { busy, keyOf, type ReadSession, sessionExpired } from '#server/features/sessions/access.ts'
import type { HandedInPictures } from '#server/features/sessions/handed-in/handed-in.ts'
import { isHeldBy, openerOf, refuseFollower, wayBackOf } from '#server/features/sessions/handoff/holding.ts'
import { visitorIn } from '#server/features/sessions/opening/visitor.ts'
import { trailSoFar } from '#server/features/sessions/pictures/trail-so-far.ts'
import { type Milestone, reaching, type SessionRecord } from '#server/features/sessions/record.ts'
import { hintsOf } from '#server/features/sessions/results/hints.ts'
import type { DecodeBase64 } from '#server/platform/http/requests/base64/base64-thread.ts'
import { type Picture, readFrames, refuseLongReport } from '#server/platform/http/requests/pictures/frames.ts'
import { readTrail } from '#server/platform/http/requests/pictures/trail.ts'
import type { FailedReason, submitSession } from '#shared/contract/sessions/session.ts'
import type { BodyOf, Handler, ResultOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { Judged } from './decide-outcome.ts'
import { attemptsLeftAfter } from './further-try.ts'
import { rulesOf } from './rules.ts'
import type { Admitted, Submit } from './submit.ts'

export type SubmitSession = Handler<typeof submitSession, SessionCaller>
type Body = BodyOf<typeof submitSession>

/** Completes a session or starts another try. Submitting a try again returns the original answer. */
export function createSubmitSession(
  readSession: ReadSession,
  submit: Submit,
  handedIn: Pick<HandedInPictures, 'collect'>,
  decode?: DecodeBase64,
): SubmitSession {
  return ({ body, caller }) =>
    submit({
      key: keyOf(caller),
      busy,
      load: async () => ({ given: body, read: () => readSession(caller) }),
      async admit(given, record, receivedAt) {
        refuse(record, caller)
        if (record.outcome !== null || isAnswered(given, record)) return null
        const admitted = await admitTry(given, record, receivedAt, handedIn, decode)
        return { ...admitted, record: { ...admitted.record, ...visitorIn(caller) } }
      },
      judge: judgeTry,
      answer: (given, decided) => answerTo(given, decided, caller),
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
async function admitTry(
  body: Body,
  record: SessionRecord,
  receivedAt: number,
  { collect }: Pick<HandedInPictures, 'collect'>,
  decode: DecodeBase64 | undefined,
): Promise<Admitted> {
  const { alternative = null } = record.settings
  if (body.problem === 'alternativeChosen' && alternative === null)
    throw Problem.at('#/problem', 'Requires alternativeConfig in the verification.')
  if (isLeaving(body)) {
    if (record.before === undefined) throw Problem.at('#/leave', 'Requires a previous try that was judged.')
    return { record, ...nothing, isRemembered: false, isLeft: true }
  }
  if (endedBy(body) === undefined && numberOf(body) !== record.tries + 1)
    throw new Problem(
      'step_out_of_order',
      'This is not the try that is expected; get-session says which one is.',
    )
  const tested = await admitTest(record, body, receivedAt, decode)
  if (tested !== undefined) return tested
  const isJudged = endedBy(body) === undefined
  const earlier = isJudged ? await collect(record) : undefined
  const soFar = trailSoFar(record, receivedAt, earlier)
  return {
    record: withReport(record, body, receivedAt),
    pictures: await picturesOf(body, record.frameCount + (earlier?.frameCount ?? 0), record, decode),
    trail: isJudged ? await readTrail(body.trail, soFar, decode) : [],
    ...(earlier && { handedIn: earlier }),
    isRemembered: isJudged,
  }
}

const nothing = { pictures: [], trail: [] }

function judgeTry(body: Body, record: SessionRecord, seen: readonly Observation[]): Judged {
  if (isLeaving(body)) return { record, verdict: record.before!.verdict, isLeft: true }
  const ended = endedBy(body)
  if (ended !== undefined) return { record, verdict: emptyVerdict(ended), isEnded: true }
  const judged = withStanding(judge(record, seen), record.before?.standing)
  const { acceptsRetry = false } = body
  return { record: { ...record, tries: record.tries + 1 }, verdict: judged, acceptsRetry }
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
async function admitTest(
  record: SessionRecord,
  body: Body,
  receivedAt: number,
  decode: DecodeBase64 | undefined,
): Promise<Admitted | undefined> {
  const { testOutcome: chosen, problem } = body
  if (record.test === undefined) {
    if (chosen !== undefined)
      throw Problem.at('#/testOutcome', 'Is accepted only in sessions of a test account.')
    return undefined
  }
  if (body.frames.length > 0) await picturesOf(body, record.frameCount, record, decode)
  const went = problem === undefined ? null : { result: problem }
  const outcome = record.test.outcome ?? chosen ?? went
  const begins = body.frames.length > 0
  const { acceptsRetry = false } = body
  const tested = { ...withReport(record, body, receivedAt), test: { ...record.test, outcome } }
  return {
    record: tested,
    begins,
    acceptsRetry: acceptsRetry && endedBy(body) === undefined,
    isRemembered: false,
    ...nothing,
  }
}

/** The only part of the device's report that the rules see is the hint at injection, which can only lower the assurance. */
function judge(record: SessionRecord, late: readonly Observation[]) {
  const { settings, progress, observations, trail = [], passkey, reference, before } = record
  return verdict({
    rules: rulesOf(settings),
    steps: progress.answered,
    observations: [...observations, ...late],
    trail,
    ...(passkey?.verified?.isAttested && { boundFace: passkey.verified }),
    ...(reference && { reference }),
    earlier: before?.pictures ?? [],
    isInjectionHinted: hintsOf(record).length > 0,
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
async function picturesOf(
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
