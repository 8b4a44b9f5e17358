/** The median; of an even count the mean of the two in the middle. Undefined where there is none. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

/**
 * What a share of values lies below, of values that came so many times each, without writing them all out: 0.5 is the median. Between two
 * values it is as far from each as the share says. Undefined where there is none.
 */
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
