/** What the work answers; undefined where it throws, as opening what was altered does. */
export function tryOrUndefined<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
