/** Groups entries into batches of `atOnce`. The last batch may be smaller, but never empty. */
export async function* inBatches<T>(entries: AsyncIterable<T>, atOnce: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const entry of entries) {
    batch.push(entry)
    if (batch.length < atOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
