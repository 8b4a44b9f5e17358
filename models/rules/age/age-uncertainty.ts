import calibration from '../../calibration/age.json' with { type: 'json' }
import { lookUp } from '../lookup.ts'

/**
 * The expected error, in years, above which an estimate must be rejected, i.e. the uncertainty is 1.0. [Note: Nine years]
 * On the people of the other half, estimates above it were off by 8 years and the others by 5. A lower limit would reject
 * many who are far from any age limit.
 */
export const rejectAtYears = 9

/** Lower bound of the expected error, in years, since the tables may rest on pictures that a network was trained on. */
const floorInYears = 2.5

/** How the estimate was made; each way has separate tables. */
export type Effort = 'light' | 'full'

/**
 * The measured mean absolute error, in years, for estimates of this age, scaled by the error measured at this level of
 * disagreement between the answers. `spread` is that of `AgeEstimate`.
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
