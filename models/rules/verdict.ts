import type { Assurance, LivenessEvidenceRule } from '#shared/contract/configuration/check-settings.ts'
import type { FailedReason, VerifierResult } from '#shared/contract/sessions/session.ts'
import { type AgeRule, decideAge } from './age/age-rule.ts'
import type { StepReason, StepRecord } from './challenge/step.ts'
import { agreedCount } from './face/face-count.ts'
import { genderOf } from './gender.ts'
import { assuranceOf, isBelow } from './liveness/evidence/assurance.ts'
import { type BoundFace, isOfBoundFace } from './liveness/evidence/bound-face.ts'
import type { Cue } from './liveness/evidence/cue.ts'
import { cuesOf } from './liveness/evidence/cues.ts'
import { filmedPerson } from './liveness/evidence/film-person.ts'
import { isTrailComplete, type TrailPoint } from './liveness/evidence/trail.ts'
import { recordingLimit } from './liveness/liveness-fusion.ts'
import { type Policy, ruledBy } from './liveness/policy.ts'
import { type Finding, findingsOf, passiveScoreOf, reasonsOf } from './liveness/session-liveness.ts'
import type { Observation, ObservedFace } from './observation.ts'
import { type Faces, facesIn, formerPortraitOf, isComparablePortrait, portraitOf } from './portrait.ts'
import { type ReferenceOutcome, type ReferenceRule, referenceOutcome } from './reference.ts'
import { isOnePerson, leastLikeness } from './same-person.ts'

/** A session's settings that the verdict depends on, with overrides applied. */
export interface Rules {
  readonly liveness: boolean
  readonly challengeActionCount: number
  readonly failOnMultipleFaces: boolean
  readonly age: AgeRule | { readonly type: 'Disabled' } | { readonly type: 'CalculationOnly' }
  readonly gender: boolean
  readonly faceRecognition: boolean
  /** Absent if there is no reference picture to compare with. */
  readonly reference?: ReferenceRule
  readonly emotion: boolean
  /** The minimum assurance for a session with liveness. Defaults to `low`, which every session has. */
  readonly leastAssurance?: Assurance
  /** If absent, every rule decides. */
  readonly policy?: Policy
  /** Decides whether evidence that our page always sends may be left out. Defaults to `required`. */
  readonly evidence?: LivenessEvidenceRule
}

export interface Evidence {
  readonly rules: Rules
  readonly steps: readonly StepRecord[]
  readonly observations: readonly Observation[]
  /** When the try began, in milliseconds on the steps' clock. Defaults to when its first step was revealed. */
  readonly openedAt?: number
  /** The visit's analysed film, or empty if none was sent. */
  readonly trail?: readonly TrailPoint[]
  /** Digests of the pictures in this session's earlier tries that were judged. Defaults to none. */
  readonly earlier?: readonly string[]
  /** True for a kiosk's capture: the device was alone with the person. */
  readonly isOffline?: boolean
  /** The face bound to a passkey at an earlier visit. The passkey was verified in this visit, and its device is attested. */
  readonly boundFace?: BoundFace
  /** The face in the caller's picture. Absent if there is none. */
  readonly reference?: BoundFace
  /** True if the device's report hints that its pictures do not come from a camera. This can only lower the assurance, and only from `high`. */
  readonly isInjectionHinted?: boolean
}

export interface Verdict {
  /** Excludes face recognition, which the caller adds if there is a `portrait` and nothing failed. */
  readonly reasons: readonly FailedReason[]
  readonly liveness: VerifierResult
  readonly age: VerifierResult
  readonly gender: VerifierResult
  /** Absent if there was no reference picture to compare with. */
  readonly reference?: ReferenceOutcome
  /** In years, unrounded. */
  readonly estimatedAge: number | null
  readonly estimatedGender: 'Male' | 'Female' | null
  /** Includes faces that are too small to count as a second person. */
  readonly totalFaceCount: number
  /**
   * The person's unit embedding: a mean of the fair frontal frames weighted by quality, joined with the second embedding if there is one. Null if
   * there is none.
   */
  readonly portrait: readonly number[] | null
  /** The same for the former model, if the pack keeps one. */
  readonly formerPortrait?: readonly number[] | undefined
  /** The mean share of each expression over all frames. Null if it was not requested. */
  readonly emotion: Readonly<Record<string, number>> | null
  readonly evidence: LivenessEvidence
  /** The assurance that the evidence provides, even if something else failed. */
  readonly assurance: Assurance
  /** Reasons from rules that are only observed, in addition to the decisive ones. */
  readonly wouldFail: readonly FailedReason[]
}

/**
 * The basis of the liveness verdict, in more detail than the API returns. [Note: Ours] Stored with the result and counted, but never returned
 * through the API, because this would tell a rejected attacker what to improve.
 */
export interface LivenessEvidence {
  readonly findings: readonly Finding[]
  /** The answers of all cues. Empty if liveness was not analysed. */
  readonly cues: readonly Cue[]
  /** The frontal frames' liveness score, 0...1. Null if none was analysed. */
  readonly passiveScore: number | null
  /** The limit for that score. Absent in older results. */
  readonly passiveLimit?: number
  /** Of all cosines between two faces in the visit, the one closest to its limit. Null if none were compared. */
  readonly leastLikeness: number | null
  /** The limit for that cosine. Absent in older results, and if nothing was compared. */
  readonly likenessLimit?: number
  /** The outcome of each step that has an action, in order. */
  readonly steps: readonly StepReason[]
  readonly frames: number
  readonly frontalFrames: number
}

/** Decides a session. This is a pure function that never sees the device's report, except for a hint that can only lower the assurance. */
export function verdict(given: Evidence): Verdict {
  const { rules, steps, observations, openedAt, trail = [], earlier = [] } = given
  const faces = facesIn(observations)
  const { seen, neutral, frontal } = faces
  const people = agreedCount(observations.map(({ faceCount }) => faceCount))
  const actionCount = rules.challengeActionCount
  const cues = rules.liveness ? cuesOf({ steps, observations, trail }) : []
  const mayLeaveOut = rules.evidence === 'optional'
  const demanded = mayLeaveOut ? undefined : trail
  const portrait = portraitOf(frontal)
  const visit = { steps, observations, openedAt }
  const shown = { ...visit, actionCount, frontal, neutral, cues, portrait, demanded, earlier }
  const found = rules.liveness ? findingsOf(shown) : []
  const { deciding, observed } = ruledBy(rules.policy, found)
  const liveness = reasonsOf(deciding)
  const general = generalReasons(rules, faces, people, portrait)
  const age = ageOf(rules, frontal)
  const isLive = liveness.length === 0 && !general.includes('personChanged')
  const isJudged = rules.liveness && seen.length > 0
  const assurance = assuranceOf({
    isJudged,
    isPassed: isLive && observed.length === 0 && actionCount > 0 && frontal.length > 0,
    isOffline: given.isOffline ?? false,
    isTrailComplete: isTrailComplete(trail, visit),
    isFilmOfPerson: filmedPerson({ trail, steps, neutral, portrait }) === 'same',
    mayLeaveOut,
    cues,
    hasPasskey: isOfBoundFace(portrait, given.boundFace),
    isInjectionHinted: given.isInjectionHinted ?? false,
  })
  const reference = rules.reference && referenceOutcome(rules.reference, portrait, given.reference)
  const isTooLow = isJudged && isBelow(assurance, rules.leastAssurance ?? 'low')
  const reasons = [...general, ...liveness, ...age.reasons, ...furtherReasons(isTooLow, reference)]
  const male = mean(frontal, (face) => face.gender?.male)
  return {
    reasons,
    liveness: resultOf(isJudged, isLive),
    age: age.result,
    gender: rules.gender && male !== undefined ? 'Pass' : 'NotExecuted',
    estimatedAge: age.estimate ?? null,
    estimatedGender: rules.gender && male !== undefined ? genderOf({ male }) : null,
    ...(reference && { reference }),
    totalFaceCount: Math.max(people, ...observations.map(({ inView = 0 }) => inView)),
    portrait,
    formerPortrait: formerPortraitOf(frontal),
    emotion: rules.emotion ? emotionOf(seen) : null,
    evidence: {
      findings: found,
      cues,
      ...passiveEvidence(rules, frontal),
      ...likenessEvidence(faces),
      steps: steps.flatMap(({ reason }) => reason ?? []),
      frames: observations.length,
      frontalFrames: frontal.length,
    },
    assurance,
    wouldFail: reasonsOf(observed).filter((reason) => !reasons.includes(reason)),
  }
}

/** Problems that do not depend on the requested checks. */
function generalReasons(
  { failOnMultipleFaces }: Rules,
  faces: Faces,
  people: number,
  portrait: Verdict['portrait'],
): FailedReason[] {
  const reasons: FailedReason[] = []
  if (faces.seen.length === 0) reasons.push('noFace')
  else if (faces.frontal.length === 0 || (portrait !== null && !isComparablePortrait(portrait)))
    reasons.push('lowQuality')
  if (failOnMultipleFaces && people > 1) reasons.push('multipleFaces')
  if (!isOnePerson(faces)) reasons.push('personChanged')
  return reasons
}

function passiveEvidence({ liveness }: Rules, frontal: readonly Observation[]) {
  if (!liveness) return { passiveScore: null }
  const passiveLimit = recordingLimit(frontal.map(({ face }) => face!.live))
  return { passiveScore: passiveScoreOf(frontal) ?? null, passiveLimit }
}

function likenessEvidence(faces: Faces) {
  const least = leastLikeness(faces)
  return least === undefined
    ? { leastLikeness: null }
    : { leastLikeness: least.value, likenessLimit: least.limit }
}

/** [Note: Too low is one reason among others] */
function furtherReasons(isTooLow: boolean, reference: ReferenceOutcome | undefined): FailedReason[] {
  const isAnother = reference?.result === 'Fail'
  return [
    ...(isTooLow ? (['assuranceTooLow'] as const) : []),
    ...(isAnother ? (['referenceMismatch'] as const) : []),
  ]
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
