/** The result of using a storage; undefined if access is refused, as in some private modes, or if the content is invalid. */
export function unlessRefused<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
