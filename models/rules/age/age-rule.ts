import type { FailedReason } from '#shared/contract/sessions/session.ts'
import { median } from '../median.ts'

/** A rule that an estimated age meets or not. */
export type AgeRule =
  | {
      readonly type: 'ThresholdVerification'
      readonly threshold: number
      readonly direction: 'Above' | 'Below'
      readonly marginInYears: number
    }
  | { readonly type: 'RangeVerification'; readonly minimum: number; readonly maximum: number }

/** Whether an estimate may be decided upon: above 1.0 it is to be rejected. */
export function isAgeCertain(uncertainty: number): boolean {
  return uncertainty <= 1
}

/** Compared unrounded; a range includes both ends. */
export function meetsAgeRule(rule: AgeRule, prediction: number): boolean {
  if (rule.type === 'RangeVerification') return prediction >= rule.minimum && prediction <= rule.maximum
  return rule.direction === 'Above'
    ? prediction >= rule.threshold + rule.marginInYears
    : prediction < rule.threshold - rule.marginInYears
}

/** What a rule makes of the estimates of several frames. */
export interface AgeDecision {
  readonly reasons: readonly FailedReason[]
  /** Years, unrounded; undefined without an estimate. */
  readonly estimate: number | undefined
}

/**
 * Decides by the median of the frames: a single odd frame moves no age, and the frames of one face share their error.
 * Without a rule there is nothing to fail.
 */
export function decideAge(
  rule: AgeRule | null,
  frames: readonly { readonly prediction: number; readonly uncertainty: number }[],
): AgeDecision {
  const estimate = median(frames.map(({ prediction }) => prediction))
  const uncertainty = median(frames.map(({ uncertainty }) => uncertainty))
  if (rule === null) return { reasons: [], estimate }
  // A rule is never met by the want of an estimate.
  if (estimate === undefined || uncertainty === undefined || !isAgeCertain(uncertainty)) {
    return { reasons: ['ageUncertain'], estimate }
  }
  return { reasons: meetsAgeRule(rule, estimate) ? [] : ['ageNotMet'], estimate }
}
