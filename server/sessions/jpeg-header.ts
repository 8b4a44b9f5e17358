import { limits } from '#shared/contract/session.ts'

/** Why a captured frame is refused before anything is decoded, or undefined where it may be decoded. */
export function jpegFault(bytes: Uint8Array): string | undefined {
  if (bytes.length > limits.frameBytes) return 'Must be at most 1 MiB.'
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 'Must be a JPEG.'
  const size = findSize(bytes)
  if (size === undefined) return 'Must be a JPEG with a readable header.'
  if (size.width === 0 || size.height === 0) return 'Must not be empty.'
  return size.width * size.height > limits.framePixels ? 'Must have at most 2 megapixels.' : undefined
}

/** Walks the segments to the frame header (SOF), never past the scan. */
function findSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at++
      continue
    }
    if (isFrameHeader(marker)) {
      if (at + 9 > bytes.length) return undefined
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    }
    if (marker === 0xda || marker === 0xd9) return undefined
    const length = view.getUint16(at + 2)
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

/** SOF0 to SOF15, less the tables and the arithmetic conditioning that share their range. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
