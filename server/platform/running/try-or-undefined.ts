/** The result of the work, or undefined if it throws, as opening altered data does. */
export function tryOrUndefined<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
