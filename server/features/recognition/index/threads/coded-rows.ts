import { type Arena, runSegments, type Segment, segmentRows, sumsOfRow } from './arena.ts'
import {
  boundRow,
  type CodeBook,
  type CodedQuery,
  encodeQuery,
  learnCodeBook,
  mostDimensions,
  numbersOf,
  type RowBounds,
} from './code-book.ts'
import { blockRows, codesAt, type Kernel, limits, rowBytes, rowCodes } from './kernel/open-kernel.ts'
import type { Rows } from './rows.ts'
import { type Breathe, findSubspace } from './subspace.ts'

/** [Note: A collection teaches its own codes] Codes are learned once a collection has this many rows, and again after it has grown. */
const trainingSizes = [2048, 32_768]
const mostSamples = 4096
const segmentsAtOnce = 4

/** The codes for a collection's rows, which rule out rows for a cosine without reading their vectors. */
export interface CodedRows {
  /** Encodes `count` new or moved rows, starting at `row`, and starts learning if it is due. */
  note(row: number, count: number): void
  /** Removes the last row. */
  drop(row: number): void
  /** Calls `reached` for each row that may reach the cosine returned by `atLeast`, which may rise in the meantime. */
  visit(atLeast: () => number, reached: (row: number) => void): void
  /** Resolves when no learning is in progress. */
  settle(): Promise<void>
  close(): void
}

/** The encoding used for a segment's rows. */
interface SegmentCoding {
  readonly book: PlacedBook
  /** The maximum over the segment's rows. */
  codeLength: number
}

interface PlacedBook {
  readonly book: CodeBook
  readonly segment: Segment
}

/** The state of a collection's rows and their codes. */
interface RowCodes {
  readonly kernel: Kernel
  readonly arena: Arena
  readonly rows: Rows
  /** One per segment; undefined if its rows are not encoded yet. */
  readonly codings: (SegmentCoding | undefined)[]
  readonly books: PlacedBook[]
  /** Rows for which the bound does not hold. */
  readonly unbounded: Set<number>
}

/** Expects the query's vector in the scratch memory. */
export function createCodedRows(kernel: Kernel, arena: Arena, rows: Rows, breathe: Breathe): CodedRows {
  const coded: RowCodes = { kernel, arena, rows, codings: [], books: [], unbounded: new Set() }
  const { codings, books, unbounded } = coded
  let learnt = 0
  let learning: Promise<void> | undefined
  let isClosed = false

  /** While thousands of rows are loading, the first learning waits until it pays off, because the last one may follow right after it. */
  function learnWhenDue(from: number): void {
    const due = trainingSizes.findLastIndex((size) => rows.size >= size)
    if (due < Math.max(from, learnt) || learning !== undefined) return
    learnt = due + 1
    // Without codes, a search is slower but still exact, so a failure to learn, such as a lack of memory, fails no
    // request.
    learning = learn(coded, breathe, () => isClosed)
      .catch(() => undefined)
      .finally(() => {
        learning = undefined
      })
  }

  return {
    note(row, count) {
      const book = books.at(-1)
      for (let first = row; first < row + count; ) {
        const segment = segmentOf(first)
        const end = Math.min(row + count, (segment + 1) * segmentRows)
        if (segment === codings.length) codings.push(book && { book, codeLength: 0 })
        const coding = codings[segment]
        if (coding !== undefined) encode(coded, first, end, coding)
        first = end
      }
      learnWhenDue(count > 1 ? trainingSizes.length - 1 : 0)
    },
    drop(row) {
      unbounded.delete(row)
      if (row % segmentRows === 0) codings.length = segmentOf(row)
    },
    visit(atLeast, reached) {
      learnWhenDue(0)
      visit(coded, atLeast, reached)
    },
    async settle() {
      learnWhenDue(0)
      await learning
    },
    close() {
      isClosed = true
      for (const { segment } of books.splice(0)) arena.give(segment)
    },
  }
}

function segmentOf(row: number): number {
  return Math.floor(row / segmentRows)
}

function squaredLength({ kernel, arena }: RowCodes, vector: number): number {
  return kernel.dot(vector, vector, arena.length)
}

/** Projects into memory that the next call overwrites. */
function project(
  { kernel, arena }: RowCodes,
  basis: Segment,
  dimensions: number,
  vector: number,
): Float32Array {
  kernel.dots(basis.vectors, dimensions, vector, arena.length, arena.scratch.products)
  return arena.numbers(arena.scratch.products, dimensions)
}

/** Encodes a range of rows within one segment. */
function encode(coded: RowCodes, from: number, end: number, coding: SegmentCoding): void {
  for (let row = from; row < end; ) {
    const next = Math.min(end, row - (row % blockRows) + blockRows)
    encodeInBlock(coded, row, next, coding)
    row = next
  }
}

function encodeInBlock(coded: RowCodes, from: number, end: number, coding: SegmentCoding): void {
  const { kernel, arena, rows, unbounded } = coded
  const { scratch, length } = arena
  const { book, segment } = coding.book
  // Vectors are projected in pairs.
  const first = from - (from % 2)
  const count = end - first + ((end - first) % 2)
  kernel.project(rows.vectorAt(first), count, segment.vectors, rowCodes, length, scratch.projections)
  const projections = scratch.projections + (from - first) * rowCodes * Float32Array.BYTES_PER_ELEMENT
  const codes = codesAt(rows.segments[segmentOf(from)]!.codes, from % segmentRows)
  kernel.encode(projections, end - from, segment.codes, codes, scratch.sums)
  const sums = arena.precise(scratch.sums, (end - from) * sumsOfRow)
  for (let row = from, at = 0; row < end; row++, at += sumsOfRow) {
    const reported = { codes: sums[at]!, errors: sums[at + 1]!, inside: sums[at + 2]! }
    const bounds = boundRow(book, reported, squaredLength(coded, rows.vectorAt(row)))
    writeBounds(arena.all(), codes + (row - from) * 2, bounds)
    coding.codeLength = Math.max(coding.codeLength, bounds.codeLength)
    if (bounds.isBounded) unbounded.delete(row)
    else unbounded.add(row)
  }
}

/** The last two codes share the bytes of the row's last group with the codes before them. */
function writeBounds(memory: Uint8Array, codes: number, { error, rest }: RowBounds): void {
  const last = codes + (rowCodes / 4 - 1) * blockRows * 2
  memory[last]! |= error << 4
  memory[last + 1]! |= rest << 4
}

/** Runs while other calls search and change rows. Rows that are not encoded yet are visited one by one. */
async function learn(coded: RowCodes, breathe: Breathe, isClosed: () => boolean): Promise<void> {
  const { rows, codings } = coded
  const samples = sampled(coded)
  const dimensions = Math.min(mostDimensions, coded.arena.length)
  const basis = await findSubspace(samples, dimensions, { ...coded, breathe })
  if (isClosed()) return
  const book = place(coded, basis, samples)
  for (let i = 0; i < rows.segments.length && !isClosed(); i++) {
    if (codings[i]?.book === book) continue
    const coding = { book, codeLength: 0 }
    codings[i] = coding
    encode(coded, i * segmentRows, Math.min(rows.size, (i + 1) * segmentRows), coding)
    if (i % segmentsAtOnce === 0) await breathe()
  }
  freeUnused(coded)
}

function sampled({ rows, arena }: RowCodes): Float32Array[] {
  const count = Math.min(rows.size, mostSamples)
  return Array.from({ length: count }, (_, i) =>
    arena.numbers(rows.vectorAt(Math.floor((i * rows.size) / count)), arena.length).slice(),
  )
}

/** Learns a code book for a basis, and stores the basis where rows are projected into it. */
function place(coded: RowCodes, basis: Float32Array, samples: readonly Float32Array[]): PlacedBook {
  const { arena, books } = coded
  const { length, scratch } = arena
  const segment = arena.take()
  // The kernel requires one row per code; unused rows are 0.
  arena
    .numbers(segment.vectors, rowCodes * length)
    .fill(0)
    .set(basis)
  const squares: number[] = []
  const projections = samples.map((sample) => {
    arena.numbers(scratch.vector, length).set(sample)
    squares.push(squaredLength(coded, scratch.vector))
    return project(coded, segment, basis.length / length, scratch.vector).slice()
  })
  const book = learnCodeBook(projections, squares)
  const numbers = numbersOf(book)
  arena.numbers(segment.codes, numbers.length).set(numbers)
  const placed = { book, segment }
  books.push(placed)
  return placed
}

/** Frees the code books that no segment uses any more. */
function freeUnused({ arena, books, codings }: RowCodes): void {
  for (const book of books.slice(0, -1)) {
    if (codings.some((coding) => coding?.book === book)) continue
    books.splice(books.indexOf(book), 1)
    arena.give(book.segment)
  }
}

function encodeFor(coded: RowCodes, { book, segment }: PlacedBook): CodedQuery {
  const { vector } = coded.arena.scratch
  const square = squaredLength(coded, vector)
  return encodeQuery(book, project(coded, segment, book.dimensions, vector), square)
}

/** Calls `reached` for each row that may reach the cosine. Rows without codes are visited one by one. */
function visit(coded: RowCodes, atLeast: () => number, reached: (row: number) => void): void {
  const { kernel, arena, rows, unbounded } = coded
  const { scratch } = arena
  let current: PlacedBook | undefined
  let query: CodedQuery | undefined
  const found = arena.whole(scratch.found, runSegments * segmentRows)
  for (let i = 0; i < rows.segments.length; ) {
    const run = runFrom(coded, i, Math.min(i + 1, runSegments))
    const first = i * segmentRows
    const count = Math.min(run.segments * segmentRows, rows.size - first)
    i += run.segments
    if (run.book === undefined) {
      for (let row = first; row < first + count; row++) reached(row)
      continue
    }
    if (run.book !== current) {
      current = run.book
      query = encodeFor(coded, current)
      kernel.writeQuery(query.weights, scratch.query)
    }
    const limit = query!.limitFor(atLeast(), run.codeLength)
    if (limit > limits.most) continue
    const scanned = Math.ceil(count / blockRows) * blockRows
    const reaching = kernel.scan(run.codes, scanned, scratch.query, limit, scratch.found)
    for (let k = 0; k < reaching; k++) if (found[k]! < count) reached(first + found[k]!)
  }
  for (const row of unbounded) reached(row)
}

/**
 * Segments with contiguous codes and the same code book, which are scanned in one pass. The first runs are short, so that
 * later runs benefit from their results.
 */
function runFrom({ rows: { segments: placed }, codings }: RowCodes, start: number, most: number) {
  const { codes } = placed[start]!
  const book = codings[start]?.book
  let codeLength = 0
  let segments = 0
  do {
    codeLength = Math.max(codeLength, codings[start + segments]?.codeLength ?? 0)
    segments++
  } while (
    segments < most &&
    codings[start + segments]?.book === book &&
    placed[start + segments]?.codes === codes + segments * segmentRows * rowBytes
  )
  return { codes, book, codeLength, segments }
}
