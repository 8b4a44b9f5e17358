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
