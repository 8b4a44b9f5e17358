/** How often something was done in the window that is open, and when that window ends. */
export interface Usage {
  readonly count: number
  readonly resetsInSeconds: number
}

/**
 * The port behind which requests are counted, by all processes on one store together. A window opens with the first use
 * of a key and ends after its length.
 */
export interface RateCounter {
  /** Counts a use, or several; answers how many there were with them. */
  add(key: string, windowInSeconds: number, uses?: number): Promise<Usage>
  /** Answers how many there were, and counts none. */
  peek(key: string, windowInSeconds: number): Promise<Usage>
}

/** What is answered of a window that is open for so long yet. */
export function usageOf(count: number, millisecondsLeft: number): Usage {
  return { count, resetsInSeconds: Math.max(1, Math.ceil(millisecondsLeft / 1000)) }
}
