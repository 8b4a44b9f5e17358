import { limits, mostWeight, rowCodes } from './kernel/open-kernel.ts'

/** A row's last two codes describe the part of its vector that the other codes leave out. */
export const mostDimensions = rowCodes - 2
const errorCode = rowCodes - 2
const restCode = rowCodes - 1
const highest = 15
/** Codes are relative to their midpoint. */
const centre = highest / 2
/** Codes cover this many standard deviations on either side, which minimises the error for a normal variable (Max 1960). */
const reach = 2.8
/** More than the rounding of 32-bit numbers can add to a cosine, in the scan and in the basis. */
const roundingSlack = 1e-4

/** The range of a row's non-negative value, encoded so that it is never underestimated. */
interface Range {
  readonly from: number
  readonly step: number
}

/** Encodes projections into a subspace. */
export interface CodeBook {
  readonly dimensions: number
  /** The size of one code step, per dimension. */
  readonly steps: Float32Array
  readonly error: Range
  readonly rest: Range
}

/** The kernel's output for a row's codes: sums of squares. */
export interface CodedSums {
  /** The codes, relative to their midpoint. */
  readonly codes: number
  /** The codes' errors. */
  readonly errors: number
  /** The projection. */
  readonly inside: number
}

/** A row's last two codes, and whether all of its codes are valid. */
export interface RowBounds {
  readonly error: number
  readonly rest: number
  /** False if the row's error or remainder exceeds the codes' range. Its bound then does not hold, so it always counts as reached. */
  readonly isBounded: boolean
  /** The length of the row's codes, relative to their midpoint. */
  readonly codeLength: number
}

/** An encoded query. A vector can reach a cosine only if its row's sum reaches the limit. */
export interface CodedQuery {
  readonly weights: Int8Array
  /** `codeLength` is the maximum over the scanned rows. No row reaches a limit above 32,767. */
  limitFor(cosine: number, codeLength: number): number
}

/** Learns a code book from the samples' projections into the subspace and their squared lengths. */
export function learnCodeBook(projections: readonly Float32Array[], squares: readonly number[]): CodeBook {
  const dimensions = projections[0]!.length
  const steps = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) {
    let sum = 0
    for (const projection of projections) sum += projection[i]! ** 2
    steps[i] = (reach * Math.sqrt(sum / projections.length)) / centre || 1
  }
  const errors = projections.map((projection) => codingError(projection, steps))
  const rests = projections.map((projection, n) => restLength(projection, squares[n]!))
  return { dimensions, steps, error: rangeOf(errors), rest: rangeOf(rests) }
}

/** Slightly wider than the observed range. */
function rangeOf(values: readonly number[]): Range {
  const from = 0.9 * values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const to = 1.1 * values.reduce((most, value) => Math.max(most, value), 0)
  return { from, step: Math.max((to - from) / highest, 1e-6) }
}

/**
 * [Note: What codes leave out is bounded] A row stores the lengths of its quantisation error and of its part outside the
 * subspace, rounded up. By Cauchy-Schwarz, neither can add more to a cosine than its length times the length of the query's
 * corresponding part. `square` is the row's squared length.
 */
export function boundRow(book: CodeBook, { codes, errors, inside }: CodedSums, square: number): RowBounds {
  const error = quantiseUp(book.error, Math.sqrt(errors))
  const rest = quantiseUp(book.rest, Math.sqrt(Math.max(0, square - inside)))
  return {
    error: Math.min(highest, error),
    rest: Math.min(highest, rest),
    isBounded: error <= highest && rest <= highest,
    codeLength: Math.sqrt(codes + error ** 2 + rest ** 2),
  }
}

/** The kernel's parameters for encoding. For each four dimensions: the multiplier, the value of a step, and the midpoint. */
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
  const outside = restLength(projection, square)
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
    limitFor: (cosine, codeLength) => {
      const slack = Math.sqrt(rounded) * codeLength + roundingSlack
      const limit = Math.floor((cosine - offset - slack) / scale)
      return Math.max(limits.least, limit)
    },
  }
}

/** The value of one unit in the weights. Each weight must fit into a byte, and their sum is bounded even if all are rounded up. */
function scaleOf(exact: Float64Array): number {
  const greatest = exact.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-12)
  const sum = exact.reduce((all, value) => all + Math.abs(value), 0)
  return Math.max(greatest / 127, sum / (mostWeight - rowCodes / 2))
}

function quantise(value: number, step: number): number {
  return Math.max(0, Math.min(highest, Math.round(value / step + centre)))
}

function quantiseUp({ from, step }: Range, value: number): number {
  return Math.max(0, Math.ceil((value - from) / step))
}

function codingError(projection: Float32Array, steps: Float32Array): number {
  let sum = 0
  for (let i = 0; i < steps.length; i++) {
    sum += (projection[i]! - steps[i]! * (quantise(projection[i]!, steps[i]!) - centre)) ** 2
  }
  return Math.sqrt(sum)
}

/** The length of the part outside the subspace. */
function restLength(projection: Float32Array, square: number): number {
  return Math.sqrt(Math.max(0, square - projection.reduce((sum, value) => sum + value * value, 0)))
}
