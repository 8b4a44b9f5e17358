/** The share of 95 in 100 that an interval is right. */
const z = 1.959964

/** A share of counted cases, with the interval in which the true one lies in 95 of 100 cases. All are 0 to 1. */
export interface Rate {
  readonly share: number
  readonly from: number
  readonly to: number
}

/**
 * By Wilson's score, which holds for few cases too, and for shares near 0 and 1, where the usual one says that nothing can go wrong.
 * Null where nothing was counted.
 */
export function rateOf(hits: number, all: number): Rate | null {
  if (all <= 0) return null
  const share = hits / all
  const mid = (share + z ** 2 / (2 * all)) / (1 + z ** 2 / all)
  const half = (z / (1 + z ** 2 / all)) * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2))
  return { share, from: Math.max(0, mid - half), to: Math.min(1, mid + half) }
}
