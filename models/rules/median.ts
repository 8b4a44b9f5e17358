/** The median. For an even count, this is the mean of the two middle values. Undefined for an empty list. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

/** The quantile of values with counts, without expanding them. 0.5 is the median. Interpolates between two values. Undefined for an empty list. */
export function countedQuantile(
  values: readonly { readonly value: number; readonly count: number }[],
  share: number,
): number | undefined {
  const sorted = [...values].sort((a, b) => a.value - b.value)
  const all = sorted.reduce((sum, { count }) => sum + count, 0)
  const at = (rank: number) => {
    let passed = 0
    return sorted.find(({ count }) => {
      passed += count
      return passed > rank
    })?.value
  }
  const rank = (all - 1) * share
  const [low, high] = [at(Math.floor(rank)), at(Math.ceil(rank))]
  return low === undefined || high === undefined ? undefined : low + (high - low) * (rank % 1)
}
