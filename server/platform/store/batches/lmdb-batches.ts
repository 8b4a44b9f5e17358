import type { Batch } from '#server/platform/store/store.ts'
import { createBatchRoom, valuesOfBatch } from './batches.ts'

/** From a prefix to the first key after all keys with that prefix. */
interface KeyRange {
  readonly prefix: string
  readonly end: string
}

/**
 * Reads a database in batches. `handedOver` receives each value in a buffer that the next value overwrites, and returns the
 * part to include, if any.
 */
export type LmdbBatches = (
  range: KeyRange,
  handedOver: (stored: Uint8Array) => Uint8Array | undefined,
) => AsyncGenerator<Batch>

/** The library's encoder interface. */
interface Encoder {
  encode(): never
  decode(bytes: Uint8Array, length: number): void
}

interface RangeReader {
  getRange(range: {
    start: string
    exclusiveStart: boolean
    end: string
    limit: number
  }): Iterable<{ key: string }>
}

/**
 * [Note: Values are copied once] The library copies each value that it returns. For a million values, this is most of the
 * cost of reading, and leaves a million buffers for the garbage collector. A custom decoder sees each value in the library's
 * memory and copies it straight into its batch.
 * `renew` refreshes the snapshot so that later commits are visible.
 */
export function createLmdbBatches(open: (encoder: Encoder) => RangeReader, renew: () => void): LmdbBatches {
  let onShown: (stored: Uint8Array) => void = () => undefined
  const shown = open({
    encode: neverWritten,
    decode: ({ buffer, byteOffset }, length) => onShown(new Uint8Array(buffer, byteOffset, length)),
  })

  return async function* batches({ prefix, end }, handedOver) {
    const room = createBatchRoom()
    let start = prefix
    for (let read = valuesOfBatch; read === valuesOfBatch; ) {
      read = 0
      renew()
      onShown = (stored) => {
        const value = handedOver(stored)
        if (value !== undefined) room.put(value)
      }
      const range = { start, exclusiveStart: start !== prefix, end, limit: valuesOfBatch }
      for (const { key } of shown.getRange(range)) {
        start = key
        read++
      }
      if (room.count > 0) yield room.take()
    }
  }
}

function neverWritten(): never {
  throw new Error('Entries cannot be written through this decoder')
}
