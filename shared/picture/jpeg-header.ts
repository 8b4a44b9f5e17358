import type { MendedPicture, WalkOutcome } from './picture-size.ts'

type Fault = Extract<WalkOutcome, { fault: string }>

const mostScans = 100
const mostSegments = 1000

const startOfScan = 0xda
const endOfImage = 0xd9

const endSegment = Uint8Array.from([0xff, endOfImage])

const startOfProgressiveFrame = 0xc2
const coefficientBytes = 2
/** The number of components in a CMYK picture. */
const inks = 4

/**
 * Returns the size of a JPEG: one frame of 8 bits with Huffman codes, and a bounded number of scans and segments. If there is more than one scan,
 * a decoder holds the coefficients of all samples. [Note: A JPEG without its end] Some cameras leave out the end marker, which costs no
 * pixel; if more is missing, decoding shows it.
 */
export function jpegSize(bytes: Uint8Array): WalkOutcome {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let frame: FrameHeader | undefined
  let scans = 0
  let isInOneScan = true
  let at = 2
  for (let segments = 0; segments < mostSegments; segments++) {
    at = nextMarker(bytes, at)
    const marker = bytes[at + 1]
    if (marker === endOfImage || marker === undefined) {
      if (frame === undefined || scans === 0) return cutOff
      return { ...sizeOf(frame, isInOneScan), ...(marker === undefined && { mended: ended(bytes) }) }
    }
    if (at + 4 > bytes.length) return cutOff
    const length = view.getUint16(at + 2)
    if (length < 2 || at + 2 + length > bytes.length) return cutOff
    if (isFrame(marker)) {
      if (frame !== undefined) return { fault: 'Must be a JPEG with one frame.' }
      const read = readFrame(view, at, length)
      if ('fault' in read) return read
      frame = read
    }
    if (marker === startOfScan) {
      if (length < 3) return cutOff
      if (++scans > mostScans) return { fault: `Must have at most ${mostScans} scans.` }
      isInOneScan &&= scans === 1 && view.getUint8(at + 4) === frame?.components
    }
    at += 2 + length
  }
  return { fault: `Must have at most ${mostSegments} segments.` }
}

function ended(bytes: Uint8Array): MendedPicture {
  return { pieces: [bytes, endSegment], lacksEnd: true }
}

const cutOff = { fault: 'Must be a complete JPEG; this one is truncated or damaged.' }

interface FrameHeader {
  readonly width: number
  readonly height: number
  readonly isProgressive: boolean
  readonly components: number
  /** The number of samples per pixel over all components. A full-resolution component adds 1. */
  readonly samplesPerPixel: number
}

/** Accepts baseline, extended and progressive JPEGs with Huffman codes. Our decoders support neither lossless nor arithmetic coding. */
function readFrame(view: DataView, at: number, length: number): FrameHeader | Fault {
  const marker = view.getUint8(at + 1)
  if (length < 8) return cutOff
  if (marker > startOfProgressiveFrame)
    return { fault: 'Must be a baseline or progressive JPEG with Huffman codes.' }
  if (view.getUint8(at + 4) !== 8) return { fault: 'Must be a JPEG with 8 bits per sample.' }
  const components = view.getUint8(at + 9)
  if (length < 8 + 3 * components) return cutOff
  const factors = Array.from({ length: components }, (_, i) => view.getUint8(at + 11 + 3 * i))
  return {
    ...{ height: view.getUint16(at + 5), width: view.getUint16(at + 7), components },
    isProgressive: marker === startOfProgressiveFrame,
    samplesPerPixel: samplesPerPixel(factors),
  }
}

/** Computed from the components' sampling factors: horizontal in the upper four bits, vertical in the lower four. */
function samplesPerPixel(factors: readonly number[]): number {
  const across = Math.max(1, ...factors.map((factor) => factor >> 4))
  const down = Math.max(1, ...factors.map((factor) => factor & 15))
  return factors.reduce((sum, factor) => sum + (factor >> 4) * (factor & 15), 0) / (across * down)
}

function sizeOf(
  { width, height, isProgressive, samplesPerPixel, components }: FrameHeader,
  isInOneScan: boolean,
) {
  const isHeld = isProgressive || !isInOneScan
  const heldBytes = isHeld ? width * height * samplesPerPixel * coefficientBytes : 0
  return { width, height, heldBytes, ...(components === inks && { hasInks: true as const }) }
}

/** SOF0 to SOF15, except for the markers in that range that define tables and arithmetic conditioning. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** The position of the next marker, skipping stuffed bytes and restart markers, or the number of bytes if there is none. */
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
