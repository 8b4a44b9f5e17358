/**
 * [Note: A start ends over its settings alone] If a lookup in the store fails, the error is reported and the given value is
 * used instead.
 */
export function createLookUp(onFailure: (error: unknown) => void) {
  return async <T>(work: () => Promise<T>, instead: T): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      onFailure(error)
      return instead
    }
  }
}

/** Runs tasks one after another. A failure is reported and does not stop the others. */
export async function inTurn(
  works: readonly (() => Promise<unknown>)[],
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (const work of works) {
    try {
      await work()
    } catch (error) {
      onFailure(error)
    }
  }
}
