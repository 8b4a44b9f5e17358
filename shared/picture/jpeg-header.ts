import type { Walked } from './picture-size.ts'

const mostScans = 100
const mostSegments = 1000

const startOfScan = 0xda
const endOfImage = 0xd9

/** The size of a whole JPEG: one frame of 8 bits and Huffman codes, a bounded number of scans and segments. */
export function jpegSize(bytes: Uint8Array): Walked {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let size: Walked | undefined
  let scans = 0
  let at = 2
  for (let segments = 0; segments < mostSegments; segments++) {
    at = nextMarker(bytes, at)
    const marker = bytes[at + 1]
    if (marker === endOfImage) return size !== undefined && scans > 0 ? size : cutOff
    if (marker === undefined || at + 4 > bytes.length) return cutOff
    const length = view.getUint16(at + 2)
    if (length < 2 || at + 2 + length > bytes.length) return cutOff
    if (isFrame(marker)) {
      if (size !== undefined) return { fault: 'Must be a JPEG with one frame.' }
      size = frameSize(view, at, length)
      if ('fault' in size) return size
    }
    if (marker === startOfScan && ++scans > mostScans)
      return { fault: `Must have at most ${mostScans} scans.` }
    at += 2 + length
  }
  return { fault: `Must have at most ${mostSegments} segments.` }
}

const cutOff = { fault: 'Must be a complete JPEG; this one is truncated or damaged.' }

/** Baseline, extended and progressive with Huffman codes; no decoder here reads lossless or arithmetic ones. */
function frameSize(view: DataView, at: number, length: number): Walked {
  const marker = view.getUint8(at + 1)
  if (length < 8) return cutOff
  if (marker > 0xc2) return { fault: 'Must be a baseline or progressive JPEG with Huffman codes.' }
  if (view.getUint8(at + 4) !== 8) return { fault: 'Must be a JPEG with 8 bits per sample.' }
  return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
}

/** SOF0 to SOF15, less the tables and the arithmetic conditioning that share their range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Where the next marker is that is neither a stuffed byte nor a restart; the end of the bytes where there is none. */
function nextMarker(bytes: Uint8Array, from: number): number {
  let at = from
  while (at !== -1 && at + 1 < bytes.length) {
    const next = bytes[at + 1]!
    if (bytes[at] !== 0xff) at = bytes.indexOf(0xff, at)
    else if (next === 0xff) at++
    else if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2
    else return at
  }
  return bytes.length
}
