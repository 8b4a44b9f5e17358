import calibration from '../../calibration/age.json' with { type: 'json' }
import { lookUp } from '../lookup.ts'

/**
 * Estimates with a larger expected error (in years) must be rejected: their uncertainty is above 1.0. [Note: Nine years] In the other half
 * of the people, estimates above this limit were off by 8 years and the rest by 5. A lower limit would reject many people who are far
 * from any age limit.
 */
export const rejectAtYears = 9

/** The minimum expected error, in years, because the tables may be based on pictures that a network was trained on. */
const floorInYears = 2.5

/** How the estimate was made. Each way has its own tables. */
export type Effort = 'light' | 'full'

/**
 * The measured mean absolute error in years for estimates of this age, scaled by the error measured when the answers disagree this much. `spread`
 * comes from `AgeEstimate`.
 */
export function expectedErrorInYears(prediction: number, spread: number, effort: Effort): number {
  const { errorByAge, factorBySpread } = calibration[effort]
  return Math.max(floorInYears, lookUp(errorByAge, prediction) * lookUp(factorBySpread, spread))
}

/**
 * Above 1.0 the estimate should be rejected. [Note: No correction of the bias] The tables contain the size of the error
 * but not its sign. FG-NET is estimated two years too old and UTKFace two years too young, so no correction held on both.
 */
export function uncertaintyOf(prediction: number, spread: number, effort: Effort): number {
  return expectedErrorInYears(prediction, spread, effort) / rejectAtYears
}
