import type { Walked } from './picture-size.ts'

const mostChunks = 1000
/** Encoders cut the pixels into pieces of as little as 8 kB. */
const mostDataChunks = 10_000

/** The size of a whole PNG: a header first, one picture, a bounded number of chunks, an end. A decoder holds all of one that is interlaced. */
export function pngSize(bytes: Uint8Array): Walked {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let size: Walked | undefined
  let chunks = 0
  let dataChunks = 0
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const type = nameAt(bytes, at + 4)
    if (at + 12 + length > bytes.length) return cutOff
    if ((type === 'IHDR') !== (size === undefined) || (type === 'IHDR' && length !== 13)) return cutOff
    size ??= sizeOf(view, at + 8)
    if (type === 'IEND') return dataChunks > 0 ? size : cutOff
    if (type === 'acTL') return { fault: 'Must be a still PNG, without an animation.' }
    if (type === 'IDAT' ? ++dataChunks > mostDataChunks : ++chunks > mostChunks) {
      return { fault: `Must have at most ${mostChunks} chunks.` }
    }
    at += 12 + length
  }
  return cutOff
}

const cutOff = { fault: 'Must be a complete PNG; this one is truncated or damaged.' }

/** By what stands in its header: width, height, bits of a sample, kind of colour, compression, filter, interlacing. */
function sizeOf(view: DataView, at: number): Walked {
  const [width, height] = [view.getUint32(at), view.getUint32(at + 4)]
  const isInterlaced = view.getUint8(at + 12) !== 0
  const samples = greyKinds.has(view.getUint8(at + 9)) ? 2 : 4
  const sampleBytes = view.getUint8(at + 8) === 16 ? 2 : 1
  return { width, height, heldBytes: isInterlaced ? width * height * samples * sampleBytes : 0 }
}

/** Without an alpha of their own and with it: what is transparent may also be told elsewhere, and all are decoded with it. */
const greyKinds = new Set([0, 4])

function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
