import { setImmediate as nextTurn } from 'node:timers/promises'
import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import { engine, pageBytes } from '#shared/web-assembly.ts'
import { openCodeKernel } from './codes/kernel/open-code-kernel.ts'
import type { NearCodes } from './near-rows.ts'

/** A gallery's codes up to a given row, in this process's memory: 72 bytes each for 512 bits. */
export interface GalleryCodes {
  readonly count: number
  /** Every row up to this number has been loaded, if it existed. */
  readonly until: number
  /** Adds all rows after `until` up to another number, in any order. @throws {RangeError} if there is not enough memory */
  add(rows: NearCodes, until: number): void
  /** Like the server's `nearCodes`, but includes rows that were removed after they were loaded. */
  near(query: NearQuery): Promise<NearCodes>
}

export interface NearQuery {
  readonly code: Uint8Array
  readonly mostBits: number
  readonly after: number
  readonly until: number
}

/** Rows scanned before yielding to other work: half a millisecond. */
const rowsAtOnce = 65_536
/** The memory layout: the query's code, then the matches' row numbers, then the codes. */
const foundAt = pageBytes
const codesAt = foundAt + rowsAtOnce * 4
const mostPages = 65_535
/** The memory's growth factor, which avoids moving all rows for each new one. */
const growth = 1.1

export function createGalleryCodes(model: EmbeddingModel): GalleryCodes {
  const bytes = embeddingLengths[model] / 8
  const memory = new engine.Memory({ initial: codesAt / pageBytes, maximum: mostPages })
  const kernel = openCodeKernel(memory)
  let sequences = new Float64Array(0)
  let [count, until] = [0, 0]

  function makeRoom(rows: number): void {
    const missing = codesAt + rows * bytes - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil((missing + rows * bytes * (growth - 1)) / pageBytes))
    if (rows <= sequences.length) return
    const larger = new Float64Array(Math.ceil(rows * growth))
    larger.set(sequences.subarray(0, count))
    sequences = larger
  }
  function nearAmong(start: number, end: number, code: Uint8Array, mostBits: number): number[] {
    new Uint8Array(memory.buffer, 0, bytes).set(code)
    const found = kernel.near(codesAt + start * bytes, end - start, bytes, 0, mostBits, foundAt)
    return Array.from(new Int32Array(memory.buffer, foundAt, found), (row) => start + row)
  }
  return {
    get count() {
      return count
    },
    get until() {
      return until
    },
    add(rows, last) {
      makeRoom(count + rows.count)
      const codes = new Uint8Array(memory.buffer)
      for (const i of inOrder(rows)) {
        codes.set(rows.bytes.subarray(rows.codeAt(i), rows.codeAt(i) + bytes), codesAt + count * bytes)
        sequences[count++] = rows.sequenceOf(i)
      }
      until = last
    },
    async near({ code, mostBits, after, until }) {
      const [first, last] = [rowAfter(sequences, count, after), rowAfter(sequences, count, until)]
      const found: number[] = []
      for (let start = first; start < last; start += rowsAtOnce) {
        if (start > first) await nextTurn()
        for (const row of nearAmong(start, Math.min(last, start + rowsAtOnce), code, mostBits))
          found.push(row)
      }
      const copied = Buffer.alloc(found.length * bytes)
      const codes = new Uint8Array(memory.buffer)
      for (const [i, row] of found.entries())
        copied.set(codes.subarray(codesAt + row * bytes, codesAt + (row + 1) * bytes), i * bytes)
      const numbers = found.map((row) => sequences[row]!)
      return {
        bytes: copied,
        count: found.length,
        sequenceOf: (i) => numbers[i]!,
        codeAt: (i) => i * bytes,
      }
    },
  }
}

/** Sorts the rows by number. They usually arrive in that order. */
function inOrder({ count, sequenceOf }: NearCodes): number[] {
  const rows = Array.from({ length: count }, (_, i) => i)
  const isSorted = rows.every((i) => i === 0 || sequenceOf(i - 1) < sequenceOf(i))
  return isSorted ? rows : rows.sort((a, b) => sequenceOf(a) - sequenceOf(b))
}

/** The first row with a higher number. */
function rowAfter(sequences: Float64Array, count: number, number: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const mid = (low + high) >> 1
    if (sequences[mid]! <= number) low = mid + 1
    else high = mid
  }
  return low
}
