import { pageBytes, type WasmMemory } from '#shared/web-assembly.ts'
import {
  blockRows,
  type Kernel,
  mostPages,
  pagesFor,
  queryBytes,
  rowBytes,
  rowCodes,
} from './kernel/open-kernel.ts'

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
  /** The projections of a block of rows. */
  readonly projections: number
  /** What `encode` tells of a block of rows. */
  readonly sums: number
}

/** What `encode` tells of a row: three numbers in double precision. */
export const sumsOfRow = 3

/** The memory of a thread, cut into segments for vectors of one length. */
export interface Arena {
  readonly length: number
  readonly scratch: Scratch
  /** @throws {MemoryFull} where the memory of a thread, 4 GB, is full */
  take(): Segment
  give(segment: Segment): void
  /** All of the memory; void once more is taken. */
  all(): Uint8Array
  bytes(address: number, count: number): Uint8Array
  numbers(address: number, count: number): Float32Array
  precise(address: number, count: number): Float64Array
  whole(address: number, count: number): Int32Array
}

const numberBytes = Float32Array.BYTES_PER_ELEMENT

/** There is no room for more rows in the memory of a thread. */
export class MemoryFull extends RangeError {}

/** [Note: Codes lie together] A search reads every code and hardly a vector: codes of many segments stand in one slab. */
const segmentsOfSlab = 64
/** [Note: Memory grows in steps] A longer one takes no more of the machine's until it is written to; growing takes milliseconds. */
const grownAtOnce = 32 * 2 ** 20

/** What a thread needs beside rows: scratch, what is begun of a slab, and segments in which codes are learnt and kept. */
const segmentsOfLearning = 6

/** How many vectors of a length fit in the memory of a thread. */
export function mostRows(length: number, pages: number = mostPages): number {
  const perSegment = segmentRows * (rowBytes + idBytes + length * numberBytes)
  const slab = segmentsOfSlab * segmentRows * rowBytes
  const segments = Math.floor((pages * pageBytes - slab) / perSegment) - segmentsOfLearning
  return Math.max(0, segments) * segmentRows
}

export function createArena({ memory }: Kernel, length: number): Arena {
  let end = memory.buffer.byteLength
  const free: Segment[] = []
  let slab = { next: 0, end: 0 }

  function reserve(bytes: number): number {
    const address = end
    const missing = address + bytes - memory.buffer.byteLength
    if (missing > 0) grow(memory, missing)
    end = address + bytes
    return address
  }

  let whole = new Uint8Array(memory.buffer)
  const all = () => {
    if (whole.length === 0) whole = new Uint8Array(memory.buffer)
    return whole
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
      projections: reserve(blockRows * rowCodes * numberBytes),
      sums: reserve(blockRows * sumsOfRow * Float64Array.BYTES_PER_ELEMENT),
    },
    take: () => free.pop() ?? extend(),
    give: (segment) => void free.push(segment),
    all,
    bytes: (address, count) => all().subarray(address, address + count),
    numbers: (address, count) => new Float32Array(all().buffer, address, count),
    precise: (address, count) => new Float64Array(all().buffer, address, count),
    whole: (address, count) => new Int32Array(all().buffer, address, count),
  }
}

/** By a step, where there is room for one. */
function grow(memory: WasmMemory, missing: number): void {
  try {
    memory.grow(pagesFor(Math.max(missing, grownAtOnce)))
  } catch {
    growJust(memory, missing)
  }
}

function growJust(memory: WasmMemory, missing: number): void {
  try {
    memory.grow(pagesFor(missing))
  } catch (error) {
    throw new MemoryFull('The memory of a search thread is full', { cause: error })
  }
}
