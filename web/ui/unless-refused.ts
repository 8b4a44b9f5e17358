/** Result of using a storage; undefined if it is refused, as in some private modes, or its content is invalid. */
export function unlessRefused<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
