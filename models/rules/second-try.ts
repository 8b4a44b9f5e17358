import { embeddingLengths, embeddingModel } from '#models/rules/embedding.ts'
import type { ReferenceOutcome } from '#models/rules/reference.ts'
import { samePerson, samePersonByDlib } from '#models/rules/same-person.ts'
import { cosine } from '#models/rules/similarity.ts'
import type { Verdict } from '#models/rules/verdict.ts'
import type { FailedReason, VerifierResult } from '#shared/contract/sessions/session.ts'

/**
 * Results of earlier tries that remain, whatever a further try shows. [Note: What a second try mends] Quality, an
 * incomplete step and cues without an answer are judged again. A verdict against the person or the pictures is final, and
 * so are the first age, the first face and a mismatch with the reference picture. Otherwise people could retry until an
 * estimate suits them, or send another person.
 */
export interface EarlierResults {
  readonly reasons: readonly FailedReason[]
  /** The first estimate that was judged, or null if there is none yet. */
  readonly age: {
    readonly result: VerifierResult
    readonly reasons: readonly FailedReason[]
    readonly estimated: number | null
  } | null
  readonly gender: Verdict['estimatedGender']
  /** The face from the first try that showed one. */
  readonly portrait: readonly number[] | null
  /** The first mismatch with the reference picture. Absent if there was none. */
  readonly reference?: ReferenceOutcome
  /** True if a decisive cue was broken. Absent in older records. */
  readonly isCueBroken?: boolean
}

const nothing: EarlierResults = { reasons: [], age: null, gender: null, portrait: null }

const lasting: ReadonlySet<FailedReason> = new Set(['livenessFailed', 'personChanged'])
const ofAge: ReadonlySet<FailedReason> = new Set(['ageNotMet', 'ageUncertain'])

/** True if a verdict's reasons include a broken cue. */
export function failsByCue({ reasons, evidence }: Pick<Verdict, 'reasons' | 'evidence'>): boolean {
  return reasons.includes('livenessFailed') && evidence.findings.includes('cueBroken')
}

/** The results that stay fixed after a try. `verdict` must come from `withStanding`. */
export function standingAfter(verdict: Verdict, before: EarlierResults = nothing): EarlierResults {
  const { age: result, reasons, estimatedAge: estimated } = verdict
  const isAgeJudged = result !== 'NotExecuted'
  const first = isAgeJudged
    ? { result, reasons: reasons.filter((reason) => ofAge.has(reason)), estimated }
    : null
  return {
    reasons: reasons.filter((reason) => lasting.has(reason)),
    age: before.age ?? first,
    gender: before.gender ?? verdict.estimatedGender,
    portrait: before.portrait ?? verdict.portrait,
    ...referenceAfter(verdict, before),
    isCueBroken: before.isCueBroken === true || failsByCue(verdict),
  }
}

function referenceAfter({ reference }: Verdict, before: EarlierResults): Pick<EarlierResults, 'reference'> {
  if (before.reference !== undefined) return { reference: before.reference }
  return reference?.result === 'Fail' ? { reference } : {}
}

/** Applies the results from earlier tries that stay fixed to a later try's verdict. A pure function. */
export function withStanding(verdict: Verdict, standing: EarlierResults = nothing): Verdict {
  const { age } = standing
  const isAnother = isAnotherPerson(verdict.portrait, standing.portrait)
  const own = age === null ? verdict.reasons : verdict.reasons.filter((reason) => !ofAge.has(reason))
  const changed: FailedReason[] = isAnother ? ['personChanged'] : []
  const mismatched: FailedReason[] = standing.reference === undefined ? [] : ['referenceMismatch']
  const stands = [...standing.reasons, ...(age?.reasons ?? []), ...mismatched]
  const reasons = [...new Set([...own, ...changed, ...stands])]
  const isRefused = reasons.some((reason) => lasting.has(reason))
  return {
    ...verdict,
    reasons,
    liveness: verdict.liveness === 'Pass' && isRefused ? 'Fail' : verdict.liveness,
    age: age?.result ?? verdict.age,
    estimatedAge: age === null ? verdict.estimatedAge : age.estimated,
    estimatedGender: standing.gender ?? verdict.estimatedGender,
    gender: standing.gender === null ? verdict.gender : 'Pass',
    ...(standing.reference && { reference: standing.reference }),
  }
}

function isAnotherPerson(now: readonly number[] | null, first: readonly number[] | null): boolean {
  if (now === null || first === null || now.length !== first.length) return false
  const limits = now.length === embeddingLengths['dlib-face/2'] ? samePersonByDlib : samePerson
  const searched = embeddingLengths[embeddingModel]
  // If two embeddings are joined, compares only the first one, which is scaled by the square root of two.
  const isJoined = now.length > searched
  const alike = isJoined ? 2 * cosine(now.slice(0, searched), first.slice(0, searched)) : cosine(now, first)
  return alike < limits.frontal
}
