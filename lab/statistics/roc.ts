/** Scores for the cases to accept and for the cases to reject. Higher scores mean accept. */
export interface Scores {
  readonly positive: ArrayLike<number>
  readonly negative: ArrayLike<number>
}

/** The share of scores at or above a threshold. `sorted` is in ascending order. */
export function shareFrom(sorted: ArrayLike<number>, threshold: number): number {
  return (sorted.length - lowerBound(sorted, threshold)) / sorted.length
}

/** How many of the values, which are in ascending order, are below a threshold. */
function lowerBound(sorted: ArrayLike<number>, threshold: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const mid = (low + high) >> 1
    if (sorted[mid]! < threshold) low = mid + 1
    else high = mid
  }
  return low
}

/** The area under the curve, i.e. how often a positive scores higher than a negative. Ties count as half (Mann and Whitney 1947). */
export function auc({ positive, negative }: Scores): number {
  const ascending = Float64Array.from(negative).sort()
  let sum = 0
  for (let i = 0; i < positive.length; i++) {
    const below = lowerBound(ascending, positive[i]!)
    sum += below + (upperBound(ascending, positive[i]!) - below) / 2
  }
  return sum / (positive.length * ascending.length)
}

function upperBound(sorted: ArrayLike<number>, value: number): number {
  let low = lowerBound(sorted, value)
  let high = sorted.length
  while (low < high) {
    const mid = (low + high) >> 1
    if (sorted[mid]! <= value) low = mid + 1
    else high = mid
  }
  return low
}

/** The equal error rate, at which the same share of positives is rejected as negatives are accepted. Linear between thresholds. */
export function equalErrorRate(scores: Scores): number {
  const positive = Float64Array.from(scores.positive).sort()
  const negative = Float64Array.from(scores.negative).sort()
  if (positive.length === 0 || negative.length === 0) return Number.NaN
  let before = { rising: 0, falling: 1 }
  for (const threshold of thresholdsOf(positive, negative)) {
    const now = {
      rising: lowerBound(positive, threshold) / positive.length,
      falling: shareFrom(negative, threshold),
    }
    if (now.rising >= now.falling) return crossing(before, now)
    before = now
  }
  return crossing(before, { rising: 1, falling: 0 })
}

function thresholdsOf(positive: Float64Array, negative: Float64Array): Float64Array {
  const all = new Float64Array(positive.length + negative.length)
  all.set(positive)
  all.set(negative, positive.length)
  return all.sort()
}

/** Two error rates at the same threshold. As it increases, one rises and the other falls. */
interface Errors {
  readonly rising: number
  readonly falling: number
}

/** The rate at which the two errors cross between two thresholds, assuming straight lines in between. */
export function crossing(before: Errors, after: Errors): number {
  const gap = before.falling - before.rising
  const change = gap - (after.falling - after.rising)
  const share = change === 0 ? 0 : gap / change
  return before.rising + share * (after.rising - before.rising)
}
