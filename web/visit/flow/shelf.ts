/** What of a storage is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What came of using a storage; undefined where it is refused, as private modes may do. */
export function unlessRefused<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
