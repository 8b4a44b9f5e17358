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

/** True if an estimate is certain enough to base a decision on. Above 1.0 it must be rejected. */
export function isAgeCertain(uncertainty: number): boolean {
  return uncertainty <= 1
}

/** Compares unrounded ages. Both ends of a range are included. */
export function meetsAgeRule(rule: AgeRule, prediction: number): boolean {
  if (rule.type === 'RangeVerification') return prediction >= rule.minimum && prediction <= rule.maximum
  return rule.direction === 'Above'
    ? prediction >= rule.threshold + rule.marginInYears
    : prediction < rule.threshold - rule.marginInYears
}

/** The result of applying a rule to the estimates of several frames. */
export interface AgeDecision {
  readonly reasons: readonly FailedReason[]
  /** In years, unrounded. Undefined if there is no estimate. */
  readonly estimate: number | undefined
}

/**
 * Decides by the median over the frames, so that a single outlier has no effect, although frames of the same face share the same error.
 * If there is no rule, the result is never a failure.
 */
export function decideAge(
  rule: AgeRule | null,
  frames: readonly { readonly prediction: number; readonly uncertainty: number }[],
): AgeDecision {
  const estimate = median(frames.map(({ prediction }) => prediction))
  const uncertainty = median(frames.map(({ uncertainty }) => uncertainty))
  if (rule === null) return { reasons: [], estimate }
  // Without an estimate, the rule is not met.
  if (estimate === undefined || uncertainty === undefined || !isAgeCertain(uncertainty)) {
    return { reasons: ['ageUncertain'], estimate }
  }
  return { reasons: meetsAgeRule(rule, estimate) ? [] : ['ageNotMet'], estimate }
}
