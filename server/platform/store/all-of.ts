/** Collects a whole store list into an array. Only for lists known to be short. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
