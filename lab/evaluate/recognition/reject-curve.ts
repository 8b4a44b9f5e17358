import type { Figures } from '#lab/evaluate/figures.ts'
import type { AllPairs, Comparisons } from './all-pairs.ts'
import { errorRates } from './error-rates.ts'

const shares = [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5] as const
/** The shares that get a named figure. All of them are points in the plot. */
const reportedShares: readonly number[] = [0.05, 0.1, 0.2]
const falseMatchRate = 1e-3

/**
 * How many genuine pairs fail at a false match rate of 1e-3 if the worst pictures by a quality measure are left out: the error-versus-reject curve
 * of Grother and Tabassi 2007. The threshold is always the one for all pictures. `quality` is in the order of the samples, and higher means better.
 */
export function addRejectCurve(figures: Figures, pairs: AllPairs, quality: ArrayLike<number>): void {
  const threshold = errorRates(pairs).thresholdAt(falseMatchRate)
  if (pairs.genuine.total === 0 || Number.isNaN(threshold)) return
  const sorted = Float64Array.from(quality).sort()
  const points = shares.map((share) => {
    const least = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
    const left = among(pairs.genuine, (sample) => quality[sample]! >= least)
    const missed = left.filter((cosine) => cosine < threshold).length
    if (reportedShares.includes(share))
      figures.rate(`fnmrAtFmr1e-3WithoutWorst${100 * share}Percent`, missed, left.length)
    return [share, missed / left.length] as const
  })
  figures.plot({
    title: 'Genuine pairs that fail at a false match rate of 1e-3, without the worst pictures',
    x: { label: 'share of the pictures left out' },
    y: { label: 'share of the genuine pairs that fail' },
    curves: [{ label: 'by quality', points: points.filter(([, rate]) => Number.isFinite(rate)) }],
  })
}

function among({ cosines, a, b }: Comparisons, isIn: (sample: number) => boolean): Float32Array {
  return cosines.filter((_, i) => isIn(a[i]!) && isIn(b[i]!))
}
