import type { Walked } from './picture-size.ts'

const mostChunks = 1000
/** Encoders cut the pixels into pieces of as little as 8 kB. */
const mostDataChunks = 10_000

/** The size of a whole PNG: a header first, one picture, a bounded number of chunks, an end. */
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
    size ??= { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
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

function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
