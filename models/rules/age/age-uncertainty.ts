import calibration from '../../calibration/age.json' with { type: 'json' }
import { lookUp } from '../lookup.ts'

/**
 * The expected error, in years, at which an estimate should be rejected: there the uncertainty is 1.0. [Note: Nine years]
 * Those above were off by 8 on people of the other half, the others by 5; a lower limit refuses many who are far from any
 * age limit.
 */
export const rejectAtYears = 9

/** No estimate is better than this, in years, whatever a table says of pictures that a network may have seen. */
const floorInYears = 2.5

/** How the estimate was made; each way has tables of its own. */
export type Effort = 'light' | 'full'

/**
 * The mean absolute error in years that was measured for estimates of this age, times how much larger or smaller it was
 * where the answers disagreed as much. `spread` is that of `AgeEstimate`.
 */
export function expectedErrorInYears(prediction: number, spread: number, effort: Effort): number {
  const { errorByAge, factorBySpread } = calibration[effort]
  return Math.max(floorInYears, lookUp(errorByAge, prediction) * lookUp(factorBySpread, spread))
}

/**
 * Above 1.0 the estimate should be rejected. [Note: No correction of the bias] The tables know the size of the error
 * and not its sign: FG-NET is read two years too old and UTKFace two too young, so no correction held on both.
 */
export function uncertaintyOf(prediction: number, spread: number, effort: Effort): number {
  return expectedErrorInYears(prediction, spread, effort) / rejectAtYears
}
