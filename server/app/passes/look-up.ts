/** [Note: A start ends over its settings alone] What cannot be looked up in the store is reported, and the value given is used instead. */
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

/** Does one piece of work after the other; a failure is reported, and stops none of the others. */
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
