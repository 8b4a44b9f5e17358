/** [Note: A start ends over its settings alone] What cannot be looked up in the store is told, and taken for what is given instead. */
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

/** Does one work after the other; what one fails with is told, and keeps none of the others. */
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
