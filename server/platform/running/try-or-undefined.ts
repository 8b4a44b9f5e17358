/** The work's result, or undefined if it throws, as it does when opening altered data. */
export function tryOrUndefined<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
