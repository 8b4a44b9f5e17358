import { idPlaceIn } from '#server/features/recognition/store/face-record.ts'
import type { Batch } from '#server/platform/store/store.ts'
import type { PackedRecords } from './wire.ts'

const recordsOfShare = 128
/** Enough for `recordsOfShare` records with one embedding and a short external ID. */
const bytesOfShare = recordsOfShare * 2304

/** A face's thread, by its ID's fourth byte. IDs are random, so their bytes distribute the faces evenly. */
export function threadFor(byte: number, threads: number): number {
  return byte % threads
}

/** Records on their way to the threads that store them. */
export interface RecordShares {
  put(records: Batch): void
  /** Sends partly filled buffers. */
  flush(): void
  /** Takes back a transferred buffer for the next share: [Note: Room is used again]. */
  takeBack(records: PackedRecords): void
  /** Frees the returned buffers. */
  shrink(): void
}

interface Share {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly ends: Uint32Array<ArrayBuffer>
  count: number
}

/**
 * Fills a separate buffer for each thread and sends it when it is full. [Note: Room is used again] Allocating a buffer costs
 * as much as copying into it does.
 */
export function createRecordShares(
  threads: number,
  hand: (thread: number, records: PackedRecords) => void,
): RecordShares {
  const spare: PackedRecords[] = []
  const shares: (Share | undefined)[] = new Array(threads).fill(undefined)

  function handOver(thread: number): void {
    const share = shares[thread]
    if (share === undefined) return
    shares[thread] = undefined
    const { bytes, ends, count } = share
    hand(thread, { bytes, ends: ends.subarray(0, count) })
  }

  /** Returns a buffer with room for this many bytes. */
  function shareFor(thread: number, length: number): Share {
    const share = shares[thread]
    if (share !== undefined) {
      if (share.count < recordsOfShare && lengthOf(share) + length <= share.bytes.length) return share
      handOver(thread)
    }
    const empty = { ...roomFor(length), count: 0 }
    shares[thread] = empty
    return empty
  }

  function roomFor(length: number): PackedRecords {
    const room = length <= bytesOfShare ? spare.pop() : undefined
    if (room !== undefined) return { bytes: room.bytes, ends: new Uint32Array(room.ends.buffer) }
    return { bytes: new Uint8Array(Math.max(length, bytesOfShare)), ends: new Uint32Array(recordsOfShare) }
  }

  return {
    put({ bytes, ends }) {
      let start = 0
      for (const end of ends) {
        const share = shareFor(threadFor(bytes[idPlaceIn(bytes, start) + 3] ?? 0, threads), end - start)
        const at = lengthOf(share)
        share.bytes.set(bytes.subarray(start, end), at)
        share.ends[share.count++] = at + end - start
        start = end
      }
    },
    flush() {
      for (const thread of shares.keys()) handOver(thread)
    },
    takeBack: (records) => void spare.push(records),
    shrink: () => void spare.splice(0),
  }
}

function lengthOf({ ends, count }: Share): number {
  return count === 0 ? 0 : ends[count - 1]!
}
