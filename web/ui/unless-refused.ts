/** What came of using a storage; undefined where it is refused, as private modes may do, or where what it holds cannot be read. */
export function unlessRefused<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
