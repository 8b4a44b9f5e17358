import type { Batch, Entry, Store } from '#server/platform/store/store.ts'

/** Values per batch. */
export const valuesOfBatch = 128

const firstBytes = 2 ** 16

/** A batch's buffers, which the next batch reuses. */
export interface BatchRoom {
  readonly count: number
  /** Appends a copy of a value. */
  put(value: Uint8Array): void
  /** Takes the values added since the last call. */
  take(): Batch
}

export function createBatchRoom(): BatchRoom {
  let bytes = new Uint8Array(firstBytes)
  const ends = new Uint32Array(valuesOfBatch)
  let [count, length] = [0, 0]
  return {
    get count() {
      return count
    },
    put(value) {
      if (length + value.length > bytes.length) {
        const larger = new Uint8Array(2 * (length + value.length))
        larger.set(bytes.subarray(0, length))
        bytes = larger
      }
      bytes.set(value, length)
      length += value.length
      ends[count++] = length
    },
    take() {
      const batch = { bytes: bytes.subarray(0, length), ends: ends.subarray(0, count) }
      count = 0
      length = 0
      return batch
    },
  }
}

/** A store's list operations, for a wrapper that passes them through. */
export function listingOf({ list, batches }: Store): Pick<Store, 'list' | 'batches'> {
  return { list, ...(batches && { batches }) }
}

/** The values in a store's list, in batches. Uses the store's own batches if it supports them. */
export function batchesOf(store: Store, prefix: string): AsyncIterable<Batch> {
  return store.batches?.(prefix) ?? batchesOfList(store.list(prefix))
}

export async function* batchesOfList(entries: AsyncIterable<Entry>): AsyncGenerator<Batch> {
  const room = createBatchRoom()
  for await (const { value } of entries) {
    room.put(value)
    if (room.count === valuesOfBatch) yield room.take()
  }
  if (room.count > 0) yield room.take()
}

/** The values in a batch, as views into its bytes instead of copies. */
export function* valuesOf({ bytes, ends }: Batch): Generator<Uint8Array> {
  let start = 0
  for (const end of ends) {
    yield bytes.subarray(start, end)
    start = end
  }
}
