/** The number of uses in the open window, and when that window ends. */
export interface Usage {
  readonly count: number
  readonly resetsInSeconds: number
}

/** The port for rate counts shared by all processes on a store. A window opens with a key's first use and ends after its length. */
export interface RateCounter {
  /** Counts one or more uses and returns the total including them. */
  add(key: string, windowInSeconds: number, uses?: number): Promise<Usage>
  /** Returns the total without counting. */
  peek(key: string, windowInSeconds: number): Promise<Usage>
}

/** The usage in a window with this much time left. */
export function usageOf(count: number, millisecondsLeft: number): Usage {
  return { count, resetsInSeconds: Math.max(1, Math.ceil(millisecondsLeft / 1000)) }
}
