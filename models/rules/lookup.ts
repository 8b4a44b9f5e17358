/** A curve's points in order of rising x. In a table of measured bins, each one also has its number of cases. */
export interface Bin {
  readonly x: number
  readonly y: number
  readonly n: number
}

/** The curve at `x`: linear between the bins' centres, and constant before the first one and after the last. Requires at least one bin. */
export function lookUp(bins: readonly Bin[], x: number): number {
  const above = bins.findIndex((bin) => bin.x >= x)
  if (above === 0) return bins[0]!.y
  if (above < 0) return bins.at(-1)!.y
  const [low, high] = [bins[above - 1]!, bins[above]!]
  return low.y + ((x - low.x) / (high.x - low.x)) * (high.y - low.y)
}
