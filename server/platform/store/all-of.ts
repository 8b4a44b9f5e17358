/** Everything that a list of the store holds, at once: for lists that are known to be short. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
