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

/** The vector of the query is expected in the scratch memory. */
export function createCodedRows(kernel: Kernel, arena: Arena, rows: Rows, breathe: Breathe): CodedRows {
  const { length, scratch } = arena
  const codings: (Coding | undefined)[] = []
  const codes = new Uint8Array(rowCodes)
  const books: PlacedBook[] = []
  /** Rows whose bound does not hold. */
  const unbounded = new Set<number>()
  let learnt = 0
  let learning: Promise<void> | undefined
  let isClosed = false

  const segmentOf = (row: number) => Math.floor(row / segmentRows)
  const squareOf = (vector: number) => kernel.dot(vector, vector, length)
  const newCoding = (book: PlacedBook | undefined): Coding | undefined => book && { book, codeLength: 0 }

  /** In memory that the next such call overwrites. */
  function project(basis: Segment, dimensions: number, vector: number): Float32Array {
    kernel.dots(basis.vectors, dimensions, vector, length, scratch.products)
    return arena.numbers(scratch.products, dimensions)
  }

  function encode(row: number, coding: Coding): void {
    const { book, segment } = coding.book
    const vector = rows.vectorAt(row)
    const projection = project(segment, book.dimensions, vector)
    const coded = encodeRow(book, projection, squareOf(vector), codes)
    kernel.writeCodes(codes, rows.segments[segmentOf(row)]!.codes, row % segmentRows)
    coding.codeLength = Math.max(coding.codeLength, coded.codeLength)
    if (coded.isBounded) unbounded.delete(row)
    else unbounded.add(row)
  }

  /** Goes on while others search and change: what is not coded yet is visited row by row. */
  async function learn(): Promise<void> {
    const samples = sampled()
    const dimensions = Math.min(mostDimensions, length)
    const basis = await findSubspace(samples, dimensions, breathe)
    if (isClosed) return
    const book = place(basis, dimensions, samples)
    for (let i = 0; i < rows.segments.length && !isClosed; i++) {
      if (codings[i]?.book === book) continue
      const coding = newCoding(book)!
      codings[i] = coding
      for (let row = i * segmentRows; row < Math.min(rows.size, (i + 1) * segmentRows); row++) {
        encode(row, coding)
      }
      if (i % segmentsAtOnce === 0) await breathe()
    }
    free()
  }

  function sampled(): Float32Array[] {
    const count = Math.min(rows.size, mostSamples)
    return Array.from({ length: count }, (_, i) =>
      arena.numbers(rows.vectorAt(Math.floor((i * rows.size) / count)), length).slice(),
    )
  }

  function place(basis: Float32Array, dimensions: number, samples: readonly Float32Array[]): PlacedBook {
    const segment = arena.take()
    arena.numbers(segment.vectors, basis.length).set(basis)
    const squares: number[] = []
    const projections = samples.map((sample) => {
      arena.numbers(scratch.vector, length).set(sample)
      squares.push(squareOf(scratch.vector))
      return project(segment, dimensions, scratch.vector).slice()
    })
    const book = { book: learnCodeBook(projections, squares), segment }
    books.push(book)
    return book
  }

  /** Books in which nothing is written any more. */
  function free(): void {
    for (const book of books.slice(0, -1)) {
      if (codings.some((coding) => coding?.book === book)) continue
      books.splice(books.indexOf(book), 1)
      arena.give(book.segment)
    }
  }

  function learnWhenDue(): void {
    const due = lessons[learnt]
    if (due === undefined || rows.size < due || learning !== undefined) return
    learnt++
    // Without codes a search is slower, and as right: what fails here, for want of memory, fails no request.
    learning = learn()
      .catch(() => undefined)
      .finally(() => {
        learning = undefined
      })
  }

  function queryOf({ book, segment }: PlacedBook): CodedQuery {
    const square = squareOf(scratch.vector)
    return encodeQuery(book, project(segment, book.dimensions, scratch.vector), square)
  }

  /**
   * Segments whose codes stand one behind the other and are of one book: they are scanned at once. The first runs are
   * short, so that the rest is scanned with what they have found.
   */
  function runFrom(start: number, most: number) {
    const { codes } = rows.segments[start]!
    const book = codings[start]?.book
    let codeLength = 0
    let segments = 0
    do {
      codeLength = Math.max(codeLength, codings[start + segments]?.codeLength ?? 0)
      segments++
    } while (
      segments < most &&
      codings[start + segments]?.book === book &&
      rows.segments[start + segments]?.codes === codes + segments * segmentRows * rowBytes
    )
    return { codes, book, codeLength, segments }
  }

  return {
    note(row) {
      const segment = segmentOf(row)
      if (segment === codings.length) codings.push(newCoding(books.at(-1)))
      const coding = codings[segment]
      if (coding !== undefined) encode(row, coding)
      learnWhenDue()
    },
    drop(row) {
      const segment = segmentOf(row)
      unbounded.delete(row)
      if (row % segmentRows === 0) codings.length = segment
    },
    visit(atLeast, reached) {
      let current: PlacedBook | undefined
      let query: CodedQuery | undefined
      const found = arena.whole(scratch.found, runSegments * segmentRows)
      for (let i = 0; i < rows.segments.length; ) {
        const run = runFrom(i, Math.min(i + 1, runSegments))
        const first = i * segmentRows
        const count = Math.min(run.segments * segmentRows, rows.size - first)
        i += run.segments
        if (run.book === undefined) {
          for (let row = first; row < first + count; row++) reached(row)
          continue
        }
        if (run.book !== current) {
          current = run.book
          query = queryOf(current)
          kernel.writeQuery(query.weights, scratch.query)
        }
        const limit = query!.limitOf(atLeast(), run.codeLength)
        if (limit > limits.most) continue
        const scanned = Math.ceil(count / blockRows) * blockRows
        const reaching = kernel.scan(run.codes, scanned, scratch.query, limit, scratch.found)
        for (let k = 0; k < reaching; k++) if (found[k]! < count) reached(first + found[k]!)
      }
      for (const row of unbounded) reached(row)
    },
    settle: async () => learning,
    close() {
      isClosed = true
      for (const { segment } of books.splice(0)) arena.give(segment)
    },
  }
}
