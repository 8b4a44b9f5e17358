import type { MendedPicture, WalkOutcome } from './picture-size.ts'

const mostChunks = 1000
/** Some encoders split the pixels into 8 kB chunks. */
const mostDataChunks = 10_000

/** Returns the size of a PNG that has a header, one picture, a limited number of chunks, and an end. Interlaced pictures are decoded all at once. */
export function pngSize(bytes: Uint8Array): WalkOutcome {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let size: Header | undefined
  let isSeenThrough = false
  let chunks = 0
  let dataChunks = 0
  let firstData = 0
  let orientation: Chunk | undefined
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const type = nameAt(bytes, at + 4)
    if (at + 12 + length > bytes.length) return cutOff
    if ((type === 'IHDR') !== (size === undefined) || (type === 'IHDR' && length !== 13)) return cutOff
    size ??= headerOf(view, at + 8)
    if (type === 'tRNS') isSeenThrough = true
    if (type === 'IEND') {
      if (dataChunks === 0) return cutOff
      return { ...walkedOf(size, isSeenThrough), ...mendedOf(bytes, firstData, orientation) }
    }
    if (type === 'eXIf') orientation ??= { from: at, to: at + 12 + length }
    if (type === 'IDAT' && dataChunks === 0) firstData = at
    if (type === 'acTL') return { fault: 'Must be a still PNG, without an animation.' }
    if (type === 'IDAT' ? ++dataChunks > mostDataChunks : ++chunks > mostChunks) {
      return { fault: `Must have at most ${mostChunks} chunks.` }
    }
    at += 12 + length
  }
  return cutOff
}

/** A chunk's position, including its length and checksum. */
interface Chunk {
  readonly from: number
  readonly to: number
}

/** [Note: Orientation behind the pixels] The standard allows this, but decoders only read what comes before the pixels, so the chunk is moved. */
function mendedOf(
  bytes: Uint8Array,
  firstData: number,
  orientation: Chunk | undefined,
): { readonly mended?: MendedPicture } {
  if (orientation === undefined || orientation.from < firstData) return {}
  const { from, to } = orientation
  const pieces = [
    bytes.subarray(0, firstData),
    bytes.subarray(from, to),
    bytes.subarray(firstData, from),
    bytes.subarray(to),
  ]
  return { mended: { pieces, lacksEnd: false } }
}

const cutOff = { fault: 'Must be a complete PNG; this one is truncated or damaged.' }

interface Header {
  readonly width: number
  readonly height: number
  readonly isInterlaced: boolean
  /** The number of samples per pixel after decoding. Palettes are expanded to colours. */
  readonly samples: number
  readonly sampleBytes: number
}

/** Reads the width, height, bit depth, colour type, compression, filter and interlacing. */
function headerOf(view: DataView, at: number): Header {
  return {
    width: view.getUint32(at),
    height: view.getUint32(at + 4),
    isInterlaced: view.getUint8(at + 12) !== 0,
    samples: samplesOfKind.get(view.getUint8(at + 9)) ?? 4,
    sampleBytes: view.getUint8(at + 8) === 16 ? 2 : 1,
  }
}

const samplesOfKind = new Map([
  [0, 1],
  [2, 3],
  [3, 3],
  [4, 2],
  [6, 4],
])

/** A transparency chunk adds an alpha channel to a picture without one. */
function walkedOf({ width, height, isInterlaced, samples, sampleBytes }: Header, isSeenThrough: boolean) {
  const all = samples + (isSeenThrough ? 1 : 0)
  return { width, height, heldBytes: isInterlaced ? width * height * all * sampleBytes : 0 }
}

function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
