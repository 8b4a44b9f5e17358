import { mean } from '#lab/statistics/quantile.ts'
import { absoluteErrorOf, type LabelledEstimate } from './estimate.ts'

/** The shares of estimates to keep, starting with the least uncertain ones. */
export const coverages = [1, 0.9, 0.8, 0.7, 0.5] as const

/** The given share of the estimates, starting with the least uncertain ones. */
export function mostCertain(estimates: readonly LabelledEstimate[], share: number): LabelledEstimate[] {
  const sorted = [...estimates].sort((a, b) => a.uncertainty - b.uncertainty)
  return sorted.slice(0, Math.max(1, Math.round(share * sorted.length)))
}

/** The mean absolute error of the least uncertain estimates in years, which shows the benefit of rejecting the others. */
export function riskAt(estimates: readonly LabelledEstimate[], share: number): number {
  return mean(mostCertain(estimates, share).map(absoluteErrorOf))
}
