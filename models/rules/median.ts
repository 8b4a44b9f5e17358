/** The median; of an even count the mean of the two in the middle. Undefined where there is none. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

/** The median of values that came so many times each, without writing them all out. */
export function countedMedian(
  values: readonly { readonly value: number; readonly count: number }[],
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
  const [low, high] = [at((all - 1) >> 1), at(all >> 1)]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}
