import type { Lot } from '#server/platform/store/store.ts'
import { createLotRoom, valuesOfLot } from './lots.ts'

/** From a prefix to what stands behind all of its keys. */
interface KeyRange {
  readonly prefix: string
  readonly end: string
}

/**
 * Reads what stands in a database in lots; `handedOver` tells what of it is handed over, if anything. What it is shown is overwritten
 * with the next value.
 */
export type LmdbLots = (
  range: KeyRange,
  handedOver: (stored: Uint8Array) => Uint8Array | undefined,
) => AsyncGenerator<Lot>

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
 * takes, and leaves as many buffers to be collected. To a decoder it shows each where it has it, from where it goes to its lot.
 * `renew` makes it read what was written meanwhile.
 */
export function createLmdbLots(open: (encoder: Encoder) => Shown, renew: () => void): LmdbLots {
  let onShown: (stored: Uint8Array) => void = () => undefined
  const shown = open({
    encode: neverWritten,
    decode: ({ buffer, byteOffset }, length) => onShown(new Uint8Array(buffer, byteOffset, length)),
  })

  return async function* lots({ prefix, end }, handedOver) {
    const room = createLotRoom()
    let start = prefix
    for (let read = valuesOfLot; read === valuesOfLot; ) {
      read = 0
      renew()
      onShown = (stored) => {
        const value = handedOver(stored)
        if (value !== undefined) room.put(value)
      }
      const range = { start, exclusiveStart: start !== prefix, end, limit: valuesOfLot }
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
