import { type Arena, runSegments, type Segment, segmentRows } from './arena.ts'
import {
  type CodeBook,
  type CodedQuery,
  encodeQuery,
  encodeRow,
  learnCodeBook,
  mostDimensions,
} from './code-book.ts'
import { blockRows, type Kernel, limits, rowBytes, rowCodes } from './kernel/open-kernel.ts'
import type { Rows } from './rows.ts'
import { type Breathe, findSubspace } from './subspace.ts'

/** [Note: A collection teaches its own codes] once it has so many rows, and once more when it has grown. */
const lessons = [2048, 32_768]
const mostSamples = 4096
const segmentsAtOnce = 4

/** The codes of a collection's rows: they tell which rows may reach a cosine, without reading the vectors. */
export interface CodedRows {
  /** Codes a row that is new or was moved; learns where it is time. */
  note(row: number): void
  /** Forgets the last row. */
  drop(row: number): void
  /** Calls for each row that may reach the cosine that `atLeast` answers; it may rise on the way. */
  visit(atLeast: () => number, reached: (row: number) => void): void
  /** Resolves when nothing is being learnt. */
  settle(): Promise<void>
  close(): void
}

/** How the rows of a segment are coded. */
interface Coding {
  readonly book: PlacedBook
  /** The greatest of its rows. */
  codeLength: number
}

interface PlacedBook {
  readonly book: CodeBook
  readonly segment: Segment
}

/** What is known of the rows of a collection, and how they are coded. */
interface Coded {
  readonly kernel: Kernel
  readonly arena: Arena
  readonly rows: Rows
  /** By segment; none where its rows are not coded yet. */
  readonly codings: (Coding | undefined)[]
  readonly books: PlacedBook[]
  /** Rows whose bound does not hold. */
  readonly unbounded: Set<number>
  /** Room for the codes of one row. */
  readonly codes: Uint8Array
}

/** The vector of the query is expected in the scratch memory. */
export function createCodedRows(kernel: Kernel, arena: Arena, rows: Rows, breathe: Breathe): CodedRows {
  const codes = new Uint8Array(rowCodes)
  const coded: Coded = { kernel, arena, rows, codings: [], books: [], unbounded: new Set(), codes }
  const { codings, books, unbounded } = coded
  let learnt = 0
  let learning: Promise<void> | undefined
  let isClosed = false

  function learnWhenDue(): void {
    const due = lessons[learnt]
    if (due === undefined || rows.size < due || learning !== undefined) return
    learnt++
    // Without codes a search is slower but still exact, so a failure to learn, such as a lack of memory, fails no request.
    learning = learn(coded, breathe, () => isClosed)
      .catch(() => undefined)
      .finally(() => {
        learning = undefined
      })
  }

  return {
    note(row) {
      const segment = segmentOf(row)
      const book = books.at(-1)
      if (segment === codings.length) codings.push(book && { book, codeLength: 0 })
      const coding = codings[segment]
      if (coding !== undefined) encode(coded, row, coding)
      learnWhenDue()
    },
    drop(row) {
      unbounded.delete(row)
      if (row % segmentRows === 0) codings.length = segmentOf(row)
    },
    visit: (atLeast, reached) => visit(coded, atLeast, reached),
    settle: async () => learning,
    close() {
      isClosed = true
      for (const { segment } of books.splice(0)) arena.give(segment)
    },
  }
}

function segmentOf(row: number): number {
  return Math.floor(row / segmentRows)
}

function squareOf({ kernel, arena }: Coded, vector: number): number {
  return kernel.dot(vector, vector, arena.length)
}

/** In memory that the next such call overwrites. */
function project({ kernel, arena }: Coded, basis: Segment, dimensions: number, vector: number): Float32Array {
  kernel.dots(basis.vectors, dimensions, vector, arena.length, arena.scratch.products)
  return arena.numbers(arena.scratch.products, dimensions)
}

function encode(coded: Coded, row: number, coding: Coding): void {
  const { kernel, rows, unbounded, codes } = coded
  const { book, segment } = coding.book
  const vector = rows.vectorAt(row)
  const projection = project(coded, segment, book.dimensions, vector)
  const { isBounded, codeLength } = encodeRow(book, projection, squareOf(coded, vector), codes)
  kernel.writeCodes(codes, rows.segments[segmentOf(row)]!.codes, row % segmentRows)
  coding.codeLength = Math.max(coding.codeLength, codeLength)
  if (isBounded) unbounded.delete(row)
  else unbounded.add(row)
}

/** Goes on while others search and change: what is not coded yet is visited row by row. */
async function learn(coded: Coded, breathe: Breathe, isClosed: () => boolean): Promise<void> {
  const { rows, codings } = coded
  const samples = sampled(coded)
  const basis = await findSubspace(samples, Math.min(mostDimensions, coded.arena.length), breathe)
  if (isClosed()) return
  const book = place(coded, basis, samples)
  for (let i = 0; i < rows.segments.length && !isClosed(); i++) {
    if (codings[i]?.book === book) continue
    const coding = { book, codeLength: 0 }
    codings[i] = coding
    for (let row = i * segmentRows; row < Math.min(rows.size, (i + 1) * segmentRows); row++) {
      encode(coded, row, coding)
    }
    if (i % segmentsAtOnce === 0) await breathe()
  }
  freeUnused(coded)
}

function sampled({ rows, arena }: Coded): Float32Array[] {
  const count = Math.min(rows.size, mostSamples)
  return Array.from({ length: count }, (_, i) =>
    arena.numbers(rows.vectorAt(Math.floor((i * rows.size) / count)), arena.length).slice(),
  )
}

/** Learns a book for a basis, and puts the basis where rows are projected into it. */
function place(coded: Coded, basis: Float32Array, samples: readonly Float32Array[]): PlacedBook {
  const { arena, books } = coded
  const { length, scratch } = arena
  const segment = arena.take()
  arena.numbers(segment.vectors, basis.length).set(basis)
  const squares: number[] = []
  const projections = samples.map((sample) => {
    arena.numbers(scratch.vector, length).set(sample)
    squares.push(squareOf(coded, scratch.vector))
    return project(coded, segment, basis.length / length, scratch.vector).slice()
  })
  const book = { book: learnCodeBook(projections, squares), segment }
  books.push(book)
  return book
}

/** Gives back the books by which no segment is coded any more. */
function freeUnused({ arena, books, codings }: Coded): void {
  for (const book of books.slice(0, -1)) {
    if (codings.some((coding) => coding?.book === book)) continue
    books.splice(books.indexOf(book), 1)
    arena.give(book.segment)
  }
}

function queryOf(coded: Coded, { book, segment }: PlacedBook): CodedQuery {
  const { vector } = coded.arena.scratch
  const square = squareOf(coded, vector)
  return encodeQuery(book, project(coded, segment, book.dimensions, vector), square)
}

/** Calls for each row that may reach the cosine. What is not coded is visited row by row. */
function visit(coded: Coded, atLeast: () => number, reached: (row: number) => void): void {
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
      query = queryOf(coded, current)
      kernel.writeQuery(query.weights, scratch.query)
    }
    const limit = query!.limitOf(atLeast(), run.codeLength)
    if (limit > limits.most) continue
    const scanned = Math.ceil(count / blockRows) * blockRows
    const reaching = kernel.scan(run.codes, scanned, scratch.query, limit, scratch.found)
    for (let k = 0; k < reaching; k++) if (found[k]! < count) reached(first + found[k]!)
  }
  for (const row of unbounded) reached(row)
}

/**
 * Segments whose codes stand one behind the other and are of one book: they are scanned at once. The first runs are
 * short, so that the rest is scanned with what they have found.
 */
function runFrom({ rows: { segments: placed }, codings }: Coded, start: number, most: number) {
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
