import { toUnit } from '#models/rules/embedding.ts'
import { isFair } from '#models/rules/liveness/liveness-fusion.ts'
import type { Action, FailedReason, VerifierResult } from '#shared/contract/sessions/session.ts'
import { type AgeRule, decideAge } from './age-rule.ts'
import { isSamePerson, leastLikeness, neutralOf, performedIn } from './challenge/challenge.ts'
import { agreedCount } from './face-count.ts'
import { type Finding, findingsOf, passiveScoreOf, reasonsOf } from './liveness/session-liveness.ts'
import type { Observation, ObservedFace } from './observation.ts'

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
  /** Unit embedding of the person, a mean of the good frontal frames by their quality; null where there is none. */
  readonly portrait: readonly number[] | null
  /** Mean share of each expression over the frames; null where it was not asked for. */
  readonly emotion: Readonly<Record<string, number>> | null
  readonly evidence: LivenessEvidence
}

/**
 * Why liveness was judged as it was, more closely than the interface tells it. [Note: Ours] It is kept with the result
 * and counted, and told to nobody through the interface: whoever is refused would learn what to do better.
 */
export interface LivenessEvidence {
  readonly findings: readonly Finding[]
  /** How live the frontal frames look, 0...1; null where none was looked at. */
  readonly passiveScore: number | null
  /** Lowest cosine of a frame to the neutral face; null where none was compared. */
  readonly leastLikeness: number | null
  /** What came of each step with an action, in order. */
  readonly steps: readonly NonNullable<StepRecord['reason']>[]
  readonly frames: number
  readonly frontalFrames: number
}

/** What the verdict asks of frames; see the model cards for what was measured. */
export const verdictLimits = {
  /** Nobody sees a word, moves the head and is seen doing so in less. */
  reactionInMilliseconds: 400,
  /** For the upload, on top of the step's own limit. */
  graceInMilliseconds: 2000,
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
  const totalFaceCount = agreedCount(observations.map(({ faceCount }) => faceCount))
  const actionCount = rules.challengeActionCount
  const found = rules.liveness ? findingsOf({ actionCount, steps, observations, frontal, neutral }) : []
  const liveness = reasonsOf(found)
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
    evidence: {
      findings: found,
      passiveScore: rules.liveness ? (passiveScoreOf(frontal) ?? null) : null,
      leastLikeness: (neutral && leastLikeness(seen, neutral)) ?? null,
      steps: steps.flatMap(({ reason }) => reason ?? []),
      frames: observations.length,
      frontalFrames: frontal.length,
    },
  }
}

function resultOf(executed: boolean, passed: boolean): VerifierResult {
  if (!executed) return 'NotExecuted'
  return passed ? 'Pass' : 'Fail'
}

function mean(
  frames: readonly Observation[],
  read: (face: ObservedFace) => number | undefined,
): number | undefined {
  const values = valuesOf(frames, read)
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

function valuesOf(
  frames: readonly Observation[],
  read: (face: ObservedFace) => number | undefined,
): number[] {
  return frames.map(({ face }) => read(face!)).filter((value) => value !== undefined)
}

interface AgeOutcome {
  readonly result: VerifierResult
  readonly reasons: readonly FailedReason[]
  readonly estimate: number | undefined
}

const notExecuted: AgeOutcome = { result: 'NotExecuted', reasons: [], estimate: undefined }

function ageOf({ age }: Rules, frontal: readonly Observation[]): AgeOutcome {
  if (age.type === 'Disabled' || frontal.length === 0) return notExecuted
  const rule = age.type === 'CalculationOnly' ? null : age
  const { reasons, estimate } = decideAge(
    rule,
    frontal.flatMap(({ face }) => face!.age ?? []),
  )
  if (rule === null && estimate === undefined) return notExecuted
  return { result: reasons.length === 0 ? 'Pass' : 'Fail', reasons, estimate }
}

/** What a frame of no quality still weighs; the best weighs eleven times as much. */
const leastWeight = 0.1

/**
 * [Note: Better frames weigh more] The mean of the frames beats any one of them; a frame that is blurred, dark or in
 * which something hides a part of the face would spoil it, so that each frame weighs what its quality is.
 */
function portraitOf(frontal: readonly Observation[]): number[] | null {
  const faces = frontal.flatMap(({ face }) => (face!.embedding.length > 0 ? [face!] : []))
  const first = faces[0]
  if (first === undefined) return null
  const sum = new Array<number>(first.embedding.length).fill(0)
  for (const { embedding, frameQuality = 1 } of faces) {
    for (const [i, value] of embedding.entries()) sum[i]! += (leastWeight + frameQuality) * value
  }
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
