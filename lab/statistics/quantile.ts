/** The value that a given share of the values is below, interpolated linearly between neighbours. NaN if there are no values. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) return Number.NaN
  const at = Math.max(0, Math.min(1, share)) * (sorted.length - 1)
  const below = Math.floor(at)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!)
}

/** NaN if there are no values. */
export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5)
}

/** NaN if there are no values. */
export function mean(values: Iterable<number>): number {
  let sum = 0
  let count = 0
  for (const value of values) {
    sum += value
    count++
  }
  return sum / count
}
