import { wilson } from '#lab/statistics/wilson.ts'
import { type AgeRule, isAgeCertain, meetsAgeRule } from '../../../models/rules/age/age-rule.ts'
import type { LabelledEstimate } from './estimate.ts'

export const thresholds = [18, 25] as const
/** How many years above the threshold are required, like a verification's `marginInYears`. */
export const margins = [0, 2, 3, 5, 7, 10] as const

export interface ErrorCount {
  readonly hits: number
  readonly n: number
}

/** A session's decision for "above the threshold". An uncertain estimate never passes. */
function passes(estimate: LabelledEstimate, threshold: number, marginInYears: number): boolean {
  const rule: AgeRule = { type: 'ThresholdVerification', threshold, direction: 'Above', marginInYears }
  return isAgeCertain(estimate.uncertainty) && meetsAgeRule(rule, estimate.prediction)
}

/** Counts people below the threshold who pass. */
export function wrongPasses(
  estimates: readonly LabelledEstimate[],
  threshold: number,
  marginInYears: number,
): ErrorCount {
  const below = estimates.filter(({ years }) => years < threshold)
  return { hits: below.filter((one) => passes(one, threshold, marginInYears)).length, n: below.length }
}

/** Counts people at or above the threshold who fail. */
export function wrongFails(
  estimates: readonly LabelledEstimate[],
  threshold: number,
  marginInYears: number,
): ErrorCount {
  const above = estimates.filter(({ years }) => years >= threshold)
  return { hits: above.filter((one) => !passes(one, threshold, marginInYears)).length, n: above.length }
}

export interface Band {
  readonly name: string
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** Age bands around a threshold. They are narrow near it, where the decision is difficult. */
export function bandsAround(threshold: number): Band[] {
  const edges = [
    0,
    threshold - 6,
    threshold - 3,
    threshold,
    threshold + 3,
    threshold + 7,
    threshold + 12,
    130,
  ]
  return edges.slice(1).map((to, i) => ({ name: bandName(edges[i]!, to), from: edges[i]!, to }))
}

function bandName(from: number, to: number): string {
  return to >= 130 ? `${from}+` : `${from}-${to - 1}`
}

export function within({ from, to }: Band, estimates: readonly LabelledEstimate[]): LabelledEstimate[] {
  return estimates.filter(({ years }) => years >= from && years < to)
}

/** The margin guards against wrong passes by people who are up to this many years below the threshold. */
const nearInYears = 5
/** The maximum share of these people that may pass, judged by the upper end of the interval. */
export const acceptedWrongPass = 0.1

/**
 * The smallest margin for which, with 95 % confidence, at most one in ten people who are up to five years too young pass. Undefined if even the
 * largest margin is not enough, or if no one of that age was measured.
 */
export function recommendedMargin(
  estimates: readonly LabelledEstimate[],
  threshold: number,
): number | undefined {
  const near = estimates.filter(({ years }) => years < threshold && years >= threshold - nearInYears)
  if (near.length === 0) return undefined
  return margins.find((margin) => {
    const { hits, n } = wrongPasses(near, threshold, margin)
    return wilson(hits, n).high <= acceptedWrongPass
  })
}
