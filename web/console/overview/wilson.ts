/** The quantile for 95 % confidence. */
const z = 1.959964

/** A share with its 95 % confidence interval. All values are 0 to 1. */
export interface Rate {
  readonly share: number
  readonly from: number
  readonly to: number
}

/**
 * Uses Wilson's score interval, which also works for few cases and for shares close to 0 or 1, where the usual interval has no width.
 * Null if there are no cases.
 */
export function rateOf(hits: number, all: number): Rate | null {
  if (all <= 0) return null
  const share = hits / all
  const mid = (share + z ** 2 / (2 * all)) / (1 + z ** 2 / all)
  const half = (z / (1 + z ** 2 / all)) * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2))
  return { share, from: Math.max(0, mid - half), to: Math.min(1, mid + half) }
}
