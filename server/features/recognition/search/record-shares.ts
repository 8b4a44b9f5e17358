import { idPlaceIn } from '#server/features/recognition/faces/stored-face.ts'
import type { Batch } from '#server/platform/store/store.ts'
import type { PackedRecords } from './wire.ts'

const recordsOfShare = 128
/** As many records with one embedding and no long external id. */
const bytesOfShare = recordsOfShare * 2304

/** The thread of a face, by the fourth byte of its id: ids are random, so their bytes spread the faces evenly. */
export function placeOf(byte: number, threads: number): number {
  return byte % threads
}

/** Records on their way to the threads that hold them. */
export interface RecordShares {
  put(records: Batch): void
  /** Hands over what waits for others to come. */
  flush(): void
  /** Takes room back that was handed over, for the next share: [Note: Room is used again]. */
  takeBack(records: PackedRecords): void
  /** Gives up the room that has come back. */
  shrink(): void
}

interface Share {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly ends: Uint32Array<ArrayBuffer>
  count: number
}

/**
 * Each thread's share fills a buffer of its own, which is handed over when it is full. [Note: Room is used again] Asking the machine for it
 * costs as much as copying into it.
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

  /** Where there is room for one of so many bytes. */
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
        const share = shareFor(placeOf(bytes[idPlaceIn(bytes, start) + 3] ?? 0, threads), end - start)
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
