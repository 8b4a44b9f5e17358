import type { Entry, Lot, Store } from '#server/platform/store/store.ts'

/** Values of a lot. */
export const valuesOfLot = 128

const firstBytes = 2 ** 16

/** Room for a lot, which is used again for the next one. */
export interface LotRoom {
  readonly count: number
  /** Copies a value in behind the others. */
  put(value: Uint8Array): void
  /** What has been put since the last time. */
  take(): Lot
}

export function createLotRoom(): LotRoom {
  let bytes = new Uint8Array(firstBytes)
  const ends = new Uint32Array(valuesOfLot)
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
      const lot = { bytes: bytes.subarray(0, length), ends: ends.subarray(0, count) }
      count = 0
      length = 0
      return lot
    },
  }
}

/** What lists a store, for one that stands before it. */
export function listingOf({ list, lots }: Store): Pick<Store, 'list' | 'lots'> {
  return { list, ...(lots && { lots }) }
}

/** The values of a store's list, as its own lots where it has them. */
export function lotsOf(store: Store, prefix: string): AsyncIterable<Lot> {
  return store.lots?.(prefix) ?? lotsOfList(store.list(prefix))
}

export async function* lotsOfList(entries: AsyncIterable<Entry>): AsyncGenerator<Lot> {
  const room = createLotRoom()
  for await (const { value } of entries) {
    room.put(value)
    if (room.count === valuesOfLot) yield room.take()
  }
  if (room.count > 0) yield room.take()
}

/** Each value of a lot, where it stands. */
export function* valuesOf({ bytes, ends }: Lot): Generator<Uint8Array> {
  let start = 0
  for (const end of ends) {
    yield bytes.subarray(start, end)
    start = end
  }
}
