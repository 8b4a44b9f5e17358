/** Groups entries into batches of `atOnce`; the last one may be smaller, and none is empty. */
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
