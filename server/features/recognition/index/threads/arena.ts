import { idBytes } from '#server/features/recognition/store/face-id.ts'
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

/** The number of rows in a segment. */
export const segmentRows = 512
/** The maximum number of segments scanned in one pass. */
export const runSegments = 8

/** The addresses of a segment's parts in the kernel's memory. */
export interface Segment {
  readonly codes: number
  readonly ids: number
  readonly vectors: number
}

/** The addresses of memory that every search reuses. */
export interface Scratch {
  /** A vector. */
  readonly vector: number
  /** One product for each row in a segment. */
  readonly products: number
  /** One integer for each row in a run of segments. */
  readonly found: number
  /** An encoded query. */
  readonly query: number
  /** A block of rows' projections. */
  readonly projections: number
  /** The output of `encode` for a block of rows. */
  readonly sums: number
}

/** The output of `encode` for one row: three double-precision numbers. */
export const sumsOfRow = 3

/** A thread's memory, divided into segments for vectors of the same length. */
export interface Arena {
  readonly length: number
  readonly scratch: Scratch
  /** @throws {MemoryFull} if a thread's memory, 4 GB, is full */
  take(): Segment
  give(segment: Segment): void
  /** The entire memory. The view becomes invalid once more memory is taken. */
  all(): Uint8Array
  bytes(address: number, count: number): Uint8Array
  numbers(address: number, count: number): Float32Array
  precise(address: number, count: number): Float64Array
  whole(address: number, count: number): Int32Array
}

const numberBytes = Float32Array.BYTES_PER_ELEMENT

/** A thread's memory has no room for more rows. */
export class MemoryFull extends RangeError {}

/** [Note: Codes lie together] A search reads every code but hardly any vectors, so one slab contains many segments' codes. */
const segmentsOfSlab = 64
/** [Note: Memory grows in steps] Growing takes milliseconds, and unused memory costs the machine nothing until it is written. */
const grownAtOnce = 32 * 2 ** 20

/** Segments that a thread needs besides rows: scratch memory, a partly used slab, and segments for learning and storing codes. */
const segmentsOfLearning = 6

/** How many vectors of a given length fit into a thread's memory. */
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

/** Grows by a full step, if there is room for one. */
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
