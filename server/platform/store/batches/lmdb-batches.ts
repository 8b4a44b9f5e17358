import type { Batch } from '#server/platform/store/store.ts'
import { createBatchRoom, valuesOfBatch } from './batches.ts'

/** From a prefix to what stands behind all of its keys. */
interface KeyRange {
  readonly prefix: string
  readonly end: string
}

/**
 * Reads what stands in a database in batches; `handedOver` tells what of it is handed over, if anything. What it is shown is overwritten
 * with the next value.
 */
export type LmdbBatches = (
  range: KeyRange,
  handedOver: (stored: Uint8Array) => Uint8Array | undefined,
) => AsyncGenerator<Batch>

/** What the library takes for whoever writes and reads values in a way of their own. */
interface Encoder {
  encode(): never
  decode(bytes: Uint8Array, length: number): void
}

interface Shown {
  getRange(range: {
    start: string
    exclusiveStart: boolean
    end: string
    limit: number
  }): Iterable<{ key: string }>
}

/**
 * [Note: Values are copied once] The library copies a value for whoever asks, which for a million is most of what reading them
 * takes, and leaves as many buffers to be collected. To a decoder it shows each where it has it, from where it goes to its batch.
 * `renew` makes it read what was written meanwhile.
 */
export function createLmdbBatches(open: (encoder: Encoder) => Shown, renew: () => void): LmdbBatches {
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
  throw new Error('Entries are not written this way')
}
