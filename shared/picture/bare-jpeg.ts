const startOfScan = 0xda
const comment = 0xfe
/** JFIF and Adobe, the two application segments that decide how the samples become colours. */
const decisive: readonly number[] = [0xe0, 0xee]

/**
 * A JPEG of an sRGB canvas without its comments, capture data and colour profile. [Note: Pictures travel bare] Browsers describe sRGB in each
 * JPEG, which is what a picture without a profile means. In a picture of the film this is a fifth of the bytes, and a decoder that converts
 * the colours takes three times as long for the same pixels.
 */
export function bareJpeg(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bare = new Uint8Array(bytes.length)
  let length = 0
  const keep = (from: number, to: number) => {
    bare.set(bytes.subarray(from, to), length)
    length += to - from
  }
  keep(0, 2)
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== startOfScan) {
    const end = Math.min(bytes.length, at + 2 + view.getUint16(at + 2))
    if (!isDescription(bytes[at + 1]!)) keep(at, end)
    at = end
  }
  keep(at, bytes.length)
  return bare.slice(0, length)
}

function isDescription(marker: number): boolean {
  const isApplication = marker >= 0xe0 && marker <= 0xef
  return marker === comment || (isApplication && !decisive.includes(marker))
}
