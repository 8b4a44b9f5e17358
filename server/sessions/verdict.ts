import { toUnit } from '#models/embedder.ts'
import { liveScore } from '#models/live-score.ts'
import { clipIsLiveFrom, fuseLiveness } from '#models/liveness-fusion.ts'
import type { Action, FailedReason, VerifierResult } from '#shared/contract/session.ts'
import { isSamePerson, isTurned, type Neutral, neutralOf, performedIn, strays } from './challenge.ts'
import type { Observation, ObservedFace } from './observation.ts'
import { isOnePlace } from './scene.ts'

/** One step of the challenge as the server saw it. Times are the server's clock in milliseconds since 1970. */
export interface StepRecord {
  readonly step: number
  /** Null at step 0. */
  readonly action: Action | null
  readonly revealedAt: number
  readonly answeredAt: number
  readonly timeLimitInSeconds: number
  readonly accepted: boolean
  /** Why; null at step 0. */
  readonly reason: Judgement['reason'] | null
}

export interface Judgement {
  readonly accepted: boolean
  readonly reason:
    | 'performed'
    | 'notPerformed'
    | 'otherAction'
    | 'late'
    | 'tooEarly'
    | 'personChanged'
    | 'noFace'
}

/** A rule that an estimated age meets or not. */
export type AgeRule =
  | {
      readonly type: 'ThresholdVerification'
      readonly threshold: number
      readonly direction: 'Above' | 'Below'
      readonly marginInYears: number
    }
  | { readonly type: 'RangeVerification'; readonly minimum: number; readonly maximum: number }

/** The settings of a session that the verdict depends on; overrides are already applied. */
export interface Rules {
  readonly liveness: boolean
  readonly challengeActionCount: number
  readonly failOnMultipleFaces: boolean
  readonly age: AgeRule | { readonly type: 'Disabled' } | { readonly type: 'CalculationOnly' }
  readonly gender: boolean
  readonly faceRecognition: boolean
  readonly emotion: boolean
}

export interface Evidence {
  readonly rules: Rules
  readonly steps: readonly StepRecord[]
  readonly observations: readonly Observation[]
}

export interface Verdict {
  /** Without face recognition, which the caller adds when `portrait` is given and nothing failed. */
  readonly reasons: readonly FailedReason[]
  readonly liveness: VerifierResult
  readonly age: VerifierResult
  readonly gender: VerifierResult
  /** Years, unrounded. */
  readonly estimatedAge: number | null
  readonly estimatedGender: 'Male' | 'Female' | null
  readonly totalFaceCount: number
  /** Unit embedding of the person, averaged over the good frontal frames; null where there is none. */
  readonly portrait: readonly number[] | null
  /** Mean share of each expression over the frames; null where it was not asked for. */
  readonly emotion: Readonly<Record<string, number>> | null
}

/** What the verdict asks of frames; see the model cards for what was measured. */
export const verdictLimits = {
  /** Nobody sees a word, moves the head and is seen doing so in less. */
  reactionInMilliseconds: 400,
  /** For the upload, on top of the step's own limit. */
  graceInMilliseconds: 2000,
  /** Score of the frontal frames together; see the liveness network's card. */
  live: clipIsLiveFrom,
  sharpness: 5,
  faceWidthInPixels: 80,
  ageUncertainty: 1,
} as const

/** Decides whether the asked action was performed in the frames of its step, in time, by the face of the earlier frames. */
export function judgeStep(
  asked: Action,
  record: Omit<StepRecord, 'accepted' | 'reason'>,
  before: readonly Observation[],
  during: readonly Observation[],
): Judgement {
  const took = record.answeredAt - record.revealedAt
  if (took > record.timeLimitInSeconds * 1000 + verdictLimits.graceInMilliseconds) return refused('late')
  if (took < verdictLimits.reactionInMilliseconds) return refused('tooEarly')
  const neutral = neutralOf(before.filter(({ step }) => step === 0))
  if (neutral === undefined || !during.some(({ face }) => face !== null)) return refused('noFace')
  if (!isSamePerson(during, neutral)) return refused('personChanged')
  const outcome = performedIn(asked, during, neutral)
  return outcome === 'performed' ? { accepted: true, reason: outcome } : refused(outcome)
}

function refused(reason: Judgement['reason']): Judgement {
  return { accepted: false, reason }
}

/** Decides a session. Pure: it cannot receive what the device reports. */
export function verdict({ rules, steps, observations }: Evidence): Verdict {
  const seen = observations.filter(({ face }) => face !== null)
  const neutral = neutralOf(seen.filter(({ step }) => step === 0)) ?? neutralOf(seen)
  const frontal = neutral === undefined ? [] : seen.filter(({ face }) => isFair(face!, neutral))
  const totalFaceCount = countFaces(observations)
  const liveness = rules.liveness ? livenessReasons({ rules, steps, observations }, frontal, neutral) : []
  const general: FailedReason[] = []
  if (seen.length === 0) general.push('noFace')
  else if (frontal.length === 0) general.push('lowQuality')
  if (rules.failOnMultipleFaces && totalFaceCount > 1) general.push('multipleFaces')
  if (neutral !== undefined && !isSamePerson(seen, neutral)) general.push('personChanged')
  const age = ageOf(rules, frontal)
  const male = mean(frontal, (face) => face.gender?.male)
  return {
    reasons: [...general, ...liveness, ...age.reasons],
    liveness: resultOf(
      rules.liveness && seen.length > 0,
      liveness.length === 0 && !general.includes('personChanged'),
    ),
    age: age.result,
    gender: rules.gender && male !== undefined ? 'Pass' : 'NotExecuted',
    estimatedAge: age.estimate ?? null,
    estimatedGender: !rules.gender || male === undefined ? null : male >= 0.5 ? 'Male' : 'Female',
    totalFaceCount,
    portrait: portraitOf(frontal),
    emotion: rules.emotion ? emotionOf(seen) : null,
  }
}

function resultOf(executed: boolean, passed: boolean): VerifierResult {
  if (!executed) return 'NotExecuted'
  return passed ? 'Pass' : 'Fail'
}

/** Near the neutral pose, sharp and large enough to judge a face by. */
function isFair(face: ObservedFace, neutral: Neutral): boolean {
  return (
    !isTurned(face, neutral) &&
    face.quality.sharpness >= verdictLimits.sharpness &&
    face.box.width >= verdictLimits.faceWidthInPixels
  )
}

/** The highest number of faces that at least two frames agree on, or that the only frame shows. */
function countFaces(observations: readonly Observation[]): number {
  const counts = observations.map(({ faceCount }) => faceCount).sort((a, b) => b - a)
  return counts[1] ?? counts[0] ?? 0
}

function livenessReasons(
  { rules, steps, observations }: Evidence,
  frontal: readonly Observation[],
  neutral: Neutral | undefined,
): FailedReason[] {
  const reasons: FailedReason[] = []
  const live = looksLive(frontal) && !isReplayed(observations) && isOnePlace(observations)
  if (frontal.length > 0 && !live) reasons.push('livenessFailed')
  const asked = actionsToPerform(rules.challengeActionCount, steps)
  const moved = neutral !== undefined && movesAfterTheLast(steps, observations, neutral)
  if (actionsPerformed(steps) < asked || moved) reasons.push('challengeFailed')
  return reasons
}

/**
 * [Note: Liveness is judged on frontal frames] The network was made for them; turns are judged by geometry and
 * identity instead.
 */
function looksLive(frontal: readonly Observation[]): boolean {
  return fuseLiveness(frontal.map(({ face }) => liveScoreOf(face!)))! >= verdictLimits.live
}

/** 0...1 for one face; 0 where liveness was not looked at. */
export function liveScoreOf({ live }: ObservedFace): number {
  return live === null ? 0 : liveScore(live)
}

/**
 * One picture that is the very same as another session's, or half of the pictures in the same light on the same
 * scene. [Note: Ours] A single similar picture is no proof: the same clip of the same person may be shown twice.
 */
function isReplayed(observations: readonly Observation[]): boolean {
  const similar = observations.filter(({ reused }) => reused !== 'none').length
  return (
    observations.some(({ reused }) => reused === 'same') ||
    (similar >= 3 && similar * 2 >= observations.length)
  )
}

/** How many of the asked actions were performed. */
export function actionsPerformed(steps: readonly Pick<StepRecord, 'action' | 'accepted'>[]): number {
  return steps.filter(({ action, accepted }) => action !== null && accepted).length
}

/**
 * [Note: A wrong action costs another one] Whoever mixes up left and right may try again; a recording that shows its
 * actions in an order of its own gets no cheap second draw, because two right ones are then needed for one.
 */
export function actionsToPerform(actionCount: number, steps: readonly Pick<StepRecord, 'reason'>[]): number {
  return actionCount + steps.filter(({ reason }) => reason === 'otherAction').length
}

/**
 * [Note: After the last action comes none] A recording that happens to show the asked action goes on to show others.
 * The page therefore asks for a straight look afterwards, and any other movement of the head in these frames counts.
 */
function movesAfterTheLast(
  steps: readonly StepRecord[],
  observations: readonly Observation[],
  neutral: Neutral,
): boolean {
  const last = steps.at(-1)
  if (last === undefined || last.action === null) return false
  return observations
    .filter(({ step, receivedAt }) => step === last.step && receivedAt > last.answeredAt)
    .some((frame) => strays(frame, neutral, last.action!))
}

function mean(
  frames: readonly Observation[],
  read: (face: ObservedFace) => number | undefined,
): number | undefined {
  const values = frames.map(({ face }) => read(face!)).filter((value) => value !== undefined)
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

interface AgeOutcome {
  readonly result: VerifierResult
  readonly reasons: readonly FailedReason[]
  readonly estimate: number | undefined
}

const notExecuted: AgeOutcome = { result: 'NotExecuted', reasons: [], estimate: undefined }

function ageOf({ age }: Rules, frontal: readonly Observation[]): AgeOutcome {
  const estimate = mean(frontal, (face) => face.age?.prediction)
  const uncertainty = mean(frontal, (face) => face.age?.uncertainty)
  if (age.type === 'Disabled' || frontal.length === 0) return notExecuted
  if (age.type === 'CalculationOnly') {
    return estimate === undefined ? notExecuted : { result: 'Pass', reasons: [], estimate }
  }
  // A rule is never met by the want of an estimate.
  if (estimate === undefined || uncertainty === undefined || uncertainty > verdictLimits.ageUncertainty) {
    return { result: 'Fail', reasons: ['ageUncertain'], estimate }
  }
  return ageMeets(age, estimate)
    ? { result: 'Pass', reasons: [], estimate }
    : { result: 'Fail', reasons: ['ageNotMet'], estimate }
}

/** Compared unrounded; a range includes both ends. */
export function ageMeets(rule: AgeRule, estimate: number): boolean {
  if (rule.type === 'RangeVerification') return estimate >= rule.minimum && estimate <= rule.maximum
  return rule.direction === 'Above'
    ? estimate >= rule.threshold + rule.marginInYears
    : estimate < rule.threshold - rule.marginInYears
}

function portraitOf(frontal: readonly Observation[]): number[] | null {
  const embeddings = frontal.map(({ face }) => face!.embedding).filter(({ length }) => length > 0)
  const first = embeddings[0]
  if (first === undefined) return null
  const sum = first.map((_, i) => embeddings.reduce((total, embedding) => total + embedding[i]!, 0))
  return Array.from(toUnit(sum))
}

function emotionOf(seen: readonly Observation[]): Record<string, number> | null {
  const faces = seen.flatMap(({ face }) => (face?.expressions ? [face.expressions] : []))
  const first = faces[0]
  if (first === undefined) return null
  return Object.fromEntries(
    Object.keys(first).map((name) => [
      name,
      faces.reduce((sum, face) => sum + (face[name] ?? 0), 0) / faces.length,
    ]),
  )
}
