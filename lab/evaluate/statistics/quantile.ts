/** The value below which a share of the values lies, interpolated linearly between neighbours. NaN for none. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) return Number.NaN
  const at = Math.max(0, Math.min(1, share)) * (sorted.length - 1)
  const below = Math.floor(at)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!)
}

/** NaN for none. */
export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5)
}

/** NaN for none. */
export function mean(values: Iterable<number>): number {
  let sum = 0
  let count = 0
  for (const value of values) {
    sum += value
    count++
  }
  return sum / count
}
