import { limits, mostWeight, rowCodes } from './kernel/open-kernel.ts'

/** The last two codes of a row are not of its vector but of what the others leave out. */
export const mostDimensions = rowCodes - 2
const errorCode = rowCodes - 2
const restCode = rowCodes - 1
const highest = 15
/** What a code means is counted from the midpoint. */
const centre = highest / 2
/** Codes reach so many standard deviations to either side: where the error of a normal variable is least (Max 1960). */
const reach = 2.8
/** More than what rounding of 32-bit numbers may add to a cosine, in the scan and in the basis. */
const roundingSlack = 1e-4

/** A number of a row that is never negative, as a code that is not below it. */
interface Range {
  readonly from: number
  readonly step: number
}

/** How projections into a subspace are coded. */
export interface CodeBook {
  readonly dimensions: number
  /** What a step of a code stands for, by dimension. */
  readonly steps: Float32Array
  readonly error: Range
  readonly rest: Range
}

/** What the kernel tells of the codes of a row: sums of squares. */
export interface CodedSums {
  /** Of the codes, counted from their middle. */
  readonly codes: number
  /** Of what they miss. */
  readonly errors: number
  /** Of the projection. */
  readonly inside: number
}

/** The last two codes of a row, and what all of them are worth. */
export interface RowBounds {
  readonly error: number
  readonly rest: number
  /** False where the row's error or rest is beyond the codes: its bound does not hold, and it counts as reached. */
  readonly isBounded: boolean
  /** Length of the row's codes, counted from their middle. */
  readonly codeLength: number
}

/** A query in codes: a vector reaches a cosine only where the sum of its row reaches the limit. */
export interface CodedQuery {
  readonly weights: Int8Array
  /** `codeLength` is the greatest of the rows that are scanned. A limit above 32,767 is reached by none. */
  limitOf(cosine: number, codeLength: number): number
}

/** Learns a code book from the projections of samples into the subspace, and the squares of the samples' lengths. */
export function learnCodeBook(projections: readonly Float32Array[], squares: readonly number[]): CodeBook {
  const dimensions = projections[0]!.length
  const steps = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) {
    let sum = 0
    for (const projection of projections) sum += projection[i]! ** 2
    steps[i] = (reach * Math.sqrt(sum / projections.length)) / centre || 1
  }
  const errors = projections.map((projection) => errorOf(projection, steps))
  const rests = projections.map((projection, n) => restOf(projection, squares[n]!))
  return { dimensions, steps, error: rangeOf(errors), rest: rangeOf(rests) }
}

/** A little wider than what was seen. */
function rangeOf(values: readonly number[]): Range {
  const from = 0.9 * values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const to = 1.1 * values.reduce((most, value) => Math.max(most, value), 0)
  return { from, step: Math.max((to - from) / highest, 1e-6) }
}

/**
 * [Note: What codes leave out is bounded] A row keeps the length of its quantisation error and of its part outside of
 * the subspace, rounded up. By Cauchy and Schwarz neither can add more to a cosine than that length times the
 * length of the query's own part there. `square` is that of the row's length.
 */
export function boundsOf(book: CodeBook, { codes, errors, inside }: CodedSums, square: number): RowBounds {
  const error = ceilingOf(book.error, Math.sqrt(errors))
  const rest = ceilingOf(book.rest, Math.sqrt(Math.max(0, square - inside)))
  return {
    error: Math.min(highest, error),
    rest: Math.min(highest, rest),
    isBounded: error <= highest && rest <= highest,
    codeLength: Math.sqrt(codes + error ** 2 + rest ** 2),
  }
}

/** What the kernel codes by: for four dimensions at a time what multiplies them, what a code means, and the midpoint. */
export function numbersOf({ dimensions, steps }: CodeBook): Float32Array {
  const numbers = new Float32Array(rowCodes * 3)
  for (let i = 0; i < dimensions; i++) {
    const at = (i >> 2) * 12 + (i & 3)
    numbers[at] = 1 / steps[i]!
    numbers[at + 4] = steps[i]!
    numbers[at + 8] = centre
  }
  return numbers
}

export function encodeQuery(book: CodeBook, projection: Float32Array, square: number): CodedQuery {
  const inside = Math.sqrt(projection.reduce((sum, value) => sum + value * value, 0))
  const outside = restOf(projection, square)
  const exact = new Float64Array(rowCodes)
  for (let i = 0; i < book.dimensions; i++) exact[i] = projection[i]! * book.steps[i]!
  exact[errorCode] = inside * book.error.step
  exact[restCode] = outside * book.rest.step
  const scale = scaleOf(exact)
  const weights = Int8Array.from(exact, (value) => Math.trunc(value / scale + Math.sign(value) / 2))
  let rounded = 0
  let offset = inside * book.error.from + outside * book.rest.from
  for (const [i, weight] of weights.entries()) {
    rounded += (exact[i]! - scale * weight) ** 2
    if (i < book.dimensions) offset -= centre * scale * weight
  }
  return {
    weights,
    limitOf: (cosine, codeLength) => {
      const slack = Math.sqrt(rounded) * codeLength + roundingSlack
      const limit = Math.floor((cosine - offset - slack) / scale)
      return Math.max(limits.least, limit)
    },
  }
}

/** What one stands for in the weights: each must be a byte, and together they are bounded, also when all are rounded up. */
function scaleOf(exact: Float64Array): number {
  const greatest = exact.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-12)
  const sum = exact.reduce((all, value) => all + Math.abs(value), 0)
  return Math.max(greatest / 127, sum / (mostWeight - rowCodes / 2))
}

function codeOf(value: number, step: number): number {
  return Math.max(0, Math.min(highest, Math.round(value / step + centre)))
}

function ceilingOf({ from, step }: Range, value: number): number {
  return Math.max(0, Math.ceil((value - from) / step))
}

function errorOf(projection: Float32Array, steps: Float32Array): number {
  let sum = 0
  for (let i = 0; i < steps.length; i++) {
    sum += (projection[i]! - steps[i]! * (codeOf(projection[i]!, steps[i]!) - centre)) ** 2
  }
  return Math.sqrt(sum)
}

/** Length of what is outside of the subspace. */
function restOf(projection: Float32Array, square: number): number {
  return Math.sqrt(Math.max(0, square - projection.reduce((sum, value) => sum + value * value, 0)))
}
