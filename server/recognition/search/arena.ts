import { type Kernel, pagesFor, queryBytes, rowBytes } from './kernel/open-kernel.ts'

/** Rows of a segment. */
export const segmentRows = 512
export const idBytes = 16
/** At most so many segments are scanned at once. */
export const runSegments = 8

/** Where the parts of so many rows are, as addresses of the kernel's memory. */
export interface Segment {
  readonly codes: number
  readonly ids: number
  readonly vectors: number
}

/** Room that every search uses anew, as addresses. */
export interface Scratch {
  /** A vector. */
  readonly vector: number
  /** As many products as a segment has rows. */
  readonly products: number
  /** As many whole numbers as a run of segments has rows. */
  readonly found: number
  /** A query in codes. */
  readonly query: number
}

/** The memory of a thread, cut into segments for vectors of one length. */
export interface Arena {
  readonly length: number
  readonly scratch: Scratch
  /** @throws {RangeError} where the memory of a thread, 4 GB, is full */
  take(): Segment
  give(segment: Segment): void
  bytes(address: number, count: number): Uint8Array
  numbers(address: number, count: number): Float32Array
  whole(address: number, count: number): Int32Array
}

const numberBytes = Float32Array.BYTES_PER_ELEMENT

/** [Note: Codes lie together] A search reads every code and hardly a vector: codes of many segments stand in one slab. */
const segmentsOfSlab = 64

export function createArena({ memory }: Kernel, length: number): Arena {
  let end = memory.buffer.byteLength
  const free: Segment[] = []
  let slab = { next: 0, end: 0 }

  function reserve(bytes: number): number {
    const address = end
    end += bytes
    const missing = end - memory.buffer.byteLength
    if (missing > 0) memory.grow(pagesFor(missing))
    return address
  }

  function reserveCodes(): number {
    const bytes = segmentRows * rowBytes
    if (slab.next === slab.end) {
      const start = reserve(segmentsOfSlab * bytes)
      slab = { next: start, end: start + segmentsOfSlab * bytes }
    }
    slab.next += bytes
    return slab.next - bytes
  }

  function extend(): Segment {
    const codes = reserveCodes()
    const ids = reserve(segmentRows * (idBytes + length * numberBytes))
    return { codes, ids, vectors: ids + segmentRows * idBytes }
  }

  return {
    length,
    scratch: {
      vector: reserve(length * numberBytes),
      products: reserve(segmentRows * numberBytes),
      found: reserve(runSegments * segmentRows * numberBytes),
      query: reserve(queryBytes),
    },
    take: () => free.pop() ?? extend(),
    give: (segment) => void free.push(segment),
    bytes: (address, count) => new Uint8Array(memory.buffer, address, count),
    numbers: (address, count) => new Float32Array(memory.buffer, address, count),
    whole: (address, count) => new Int32Array(memory.buffer, address, count),
  }
}
