import type { FailedReason } from '#shared/contract/sessions/session.ts'
import { median } from '../median.ts'

/** A condition on an estimated age. */
export type AgeRule =
  | {
      readonly type: 'ThresholdVerification'
      readonly threshold: number
      readonly direction: 'Above' | 'Below'
      readonly marginInYears: number
    }
  | { readonly type: 'RangeVerification'; readonly minimum: number; readonly maximum: number }

/** True if an estimate is certain enough for a decision; above 1.0 it must be rejected. */
export function isAgeCertain(uncertainty: number): boolean {
  return uncertainty <= 1
}

/** Compares unrounded ages; a range includes both ends. */
export function meetsAgeRule(rule: AgeRule, prediction: number): boolean {
  if (rule.type === 'RangeVerification') return prediction >= rule.minimum && prediction <= rule.maximum
  return rule.direction === 'Above'
    ? prediction >= rule.threshold + rule.marginInYears
    : prediction < rule.threshold - rule.marginInYears
}

/** The result of a rule over the estimates of several frames. */
export interface AgeDecision {
  readonly reasons: readonly FailedReason[]
  /** Years, unrounded; undefined without an estimate. */
  readonly estimate: number | undefined
}

/**
 * Decides by the median of the frames, so that a single odd frame has no effect; the frames of one face share their
 * error. Without a rule the result is never a failure.
 */
export function decideAge(
  rule: AgeRule | null,
  frames: readonly { readonly prediction: number; readonly uncertainty: number }[],
): AgeDecision {
  const estimate = median(frames.map(({ prediction }) => prediction))
  const uncertainty = median(frames.map(({ uncertainty }) => uncertainty))
  if (rule === null) return { reasons: [], estimate }
  // A rule is not met without an estimate.
  if (estimate === undefined || uncertainty === undefined || !isAgeCertain(uncertainty)) {
    return { reasons: ['ageUncertain'], estimate }
  }
  return { reasons: meetsAgeRule(rule, estimate) ? [] : ['ageNotMet'], estimate }
}
