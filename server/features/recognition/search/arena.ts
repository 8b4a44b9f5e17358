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
/** Maximum number of segments that are scanned at once. */
export const runSegments = 8

/** Addresses, in the kernel's memory, of the parts of a segment. */
export interface Segment {
  readonly codes: number
  readonly ids: number
  readonly vectors: number
}

/** Addresses of memory that every search reuses. */
export interface Scratch {
  /** A vector. */
  readonly vector: number
  /** One product for each row of a segment. */
  readonly products: number
  /** One integer for each row of a run of segments. */
  readonly found: number
  /** An encoded query. */
  readonly query: number
  /** The projections of a block of rows. */
  readonly projections: number
  /** The output of `encode` for a block of rows. */
  readonly sums: number
}

/** The output of `encode` for a row: three double-precision numbers. */
export const sumsOfRow = 3

/** The memory of a thread, divided into segments for vectors of one length. */
export interface Arena {
  readonly length: number
  readonly scratch: Scratch
  /** @throws {MemoryFull} if the memory of a thread, 4 GB, is full */
  take(): Segment
  give(segment: Segment): void
  /** All of the memory; the view is invalid once more memory is taken. */
  all(): Uint8Array
  bytes(address: number, count: number): Uint8Array
  numbers(address: number, count: number): Float32Array
  precise(address: number, count: number): Float64Array
  whole(address: number, count: number): Int32Array
}

const numberBytes = Float32Array.BYTES_PER_ELEMENT

/** The memory of a thread has no room for more rows. */
export class MemoryFull extends RangeError {}

/** [Note: Codes lie together] A search reads every code but hardly any vectors, so the codes of many segments are in one slab. */
const segmentsOfSlab = 64
/** [Note: Memory grows in steps] Growing takes milliseconds, and unused memory takes none of the machine's until it is written to. */
const grownAtOnce = 32 * 2 ** 20

/** Segments that a thread needs in addition to rows: scratch memory, a partly used slab, and segments for learning and storing codes. */
const segmentsOfLearning = 6

/** Number of vectors of a length that fit into the memory of a thread. */
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

/** By a whole step, if there is room for one. */
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
