import type { Figures } from '#lab/evaluate/figures.ts'
import type { AllPairs } from '#lab/evaluate/recognition/all-pairs.ts'
import { errorRates } from '#lab/evaluate/recognition/error-rates.ts'

const falseMatchRate = 1e-3
/** The shares of pictures to discard, with their figures' names. */
const discards = [
  ['edc5', 0.05],
  ['edc20', 0.2],
] as const

/**
 * The share of genuine pairs that are still missed at a false match rate of 1e-3 when the worst pictures by their
 * quality are discarded, relative to all pictures: the error-versus-discard characteristic (Grother and Tabassi
 * 2007). The threshold stays that of all pictures. `quality` is higher for better, in the order of the samples. Adds
 * nothing if no pair is missed.
 */
export function addDiscardCurve(
  figures: Figures,
  pairs: AllPairs,
  quality: ArrayLike<number>,
  prefix = '',
): void {
  const threshold = errorRates(pairs).thresholdAt(falseMatchRate)
  const whole = missedAbove(pairs, quality, threshold, Number.NEGATIVE_INFINITY)
  if (Number.isNaN(threshold) || whole.missed === 0) return
  figures.rate(`${prefix}fnmrAtFmr1e-3`, whole.missed, whole.pairs)
  const sorted = Float64Array.from(quality).sort()
  for (const [name, share] of discards) {
    const least = sorted[Math.floor(share * sorted.length)]!
    const left = missedAbove(pairs, quality, threshold, least)
    const rate = left.missed / left.pairs
    figures.add(`${prefix}${name}`, rate / (whole.missed / whole.pairs), left.pairs)
  }
}

/** The number of genuine pairs in which both pictures reach a quality, and how many of these pairs are missed. */
function missedAbove(
  { genuine: { cosines, a, b } }: AllPairs,
  quality: ArrayLike<number>,
  threshold: number,
  least: number,
): { pairs: number; missed: number } {
  let [pairs, missed] = [0, 0]
  for (const [i, cosine] of cosines.entries()) {
    if (quality[a[i]!]! < least || quality[b[i]!]! < least) continue
    pairs++
    if (cosine < threshold) missed++
  }
  return { pairs, missed }
}
