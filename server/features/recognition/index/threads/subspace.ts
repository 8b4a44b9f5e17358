import { randomNumbers } from '#shared/random-numbers.ts'
import { type Arena, type Segment, segmentRows } from './arena.ts'
import type { Kernel } from './kernel/open-kernel.ts'

/** Yields to other work between two steps of a long task. */
export type Breathe = () => Promise<void>

/** The kernel's memory, in which matrices are multiplied. */
export interface Workplace {
  readonly kernel: Kernel
  readonly arena: Arena
  readonly breathe: Breathe
}

const iterations = 6
const columnsAtOnce = 64

/**
 * An orthonormal basis, row by row, of the subspace in which vectors of one length have most of their energy: orthogonal
 * iteration on their second moments (Golub and Van Loan, Matrix Computations, 8.2.4), then a random rotation, which
 * spreads the energy evenly over the rows. Any basis gives valid bounds; a good one gives tight ones. `count` is even.
 */
export async function findSubspace(
  samples: readonly Float32Array[],
  count: number,
  workplace: Workplace,
): Promise<Float32Array> {
  const { arena } = workplace
  const { length } = samples[0]!
  // Seeded, so that the same samples always yield the same subspace.
  const random = randomNumbers(count)
  const taken = [arena.take(), arena.take(), arena.take()] as const
  try {
    const moments = await secondMoments(samples, workplace, taken)
    let basis: Float64Array[] = Array.from({ length: count }, () =>
      Float64Array.from({ length }, () => random() - 0.5),
    )
    for (let i = 0; i < iterations; i++) {
      basis = await multiplied(moments, basis, workplace, taken)
      await orthonormalise(basis, workplace.breathe)
    }
    // A single pass leaves rounding errors if vectors were nearly parallel.
    await orthonormalise(basis, workplace.breathe)
    return await rotated(basis, random, workplace.breathe)
  } finally {
    for (const segment of taken) arena.give(segment)
  }
}

/** The operands and the product. */
type Places = readonly [left: Segment, right: Segment, product: Segment]

/** The full sum of x xᵀ, row by row, computed with one segment's samples at a time as columns. */
async function secondMoments(
  samples: readonly Float32Array[],
  { kernel, arena, breathe }: Workplace,
  [{ vectors: columns }, , { vectors: product }]: Places,
): Promise<Float64Array> {
  const { length } = arena
  const moments = new Float64Array(length * length)
  for (let first = 0; first < samples.length; first += segmentRows) {
    transpose(samples.slice(first, first + segmentRows), arena.numbers(columns, length * segmentRows))
    for (let column = 0; column < length; column += columnsAtOnce) {
      const width = Math.min(columnsAtOnce, length - column)
      const right = columns + column * segmentRows * Float32Array.BYTES_PER_ELEMENT
      kernel.project(columns, length, right, width, segmentRows, product)
      const found = arena.numbers(product, length * width)
      for (let i = 0; i < length; i++)
        for (let j = 0; j < width; j++) moments[i * length + column + j]! += found[i * width + j]!
      await breathe()
    }
  }
  return moments
}

function transpose(samples: readonly Float32Array[], into: Float32Array): void {
  if (samples.length < segmentRows) into.fill(0)
  for (const [n, sample] of samples.entries())
    for (let i = 0; i < sample.length; i++) into[i * segmentRows + n] = sample[i]!
}

/** Multiplies each row by a symmetric matrix. */
async function multiplied(
  matrix: Float64Array,
  rows: readonly Float64Array[],
  { kernel, arena, breathe }: Workplace,
  [{ vectors: left }, { vectors: right }, { vectors: product }]: Places,
): Promise<Float64Array[]> {
  const { length } = arena
  const next = rows.map(() => new Float64Array(length))
  const given = arena.numbers(left, rows.length * length)
  for (const [i, row] of rows.entries()) given.set(row, i * length)
  for (let column = 0; column < length; column += columnsAtOnce) {
    const width = Math.min(columnsAtOnce, length - column)
    arena.numbers(right, width * length).set(matrix.subarray(column * length, (column + width) * length))
    kernel.project(left, rows.length, right, width, length, product)
    const found = arena.numbers(product, rows.length * width)
    for (const [i, row] of next.entries()) row.set(found.subarray(i * width, (i + 1) * width), column)
    await breathe()
  }
  return next
}

const orthogonalAtOnce = 16

/** Modified Gram-Schmidt. */
async function orthonormalise(rows: readonly Float64Array[], breathe: Breathe): Promise<void> {
  for (const [i, row] of rows.entries()) {
    for (let k = 0; k < i; k++) subtract(row, rows[k]!, product(row, rows[k]!))
    const norm = Math.sqrt(product(row, row))
    for (let j = 0; j < row.length; j++) row[j] = norm > 1e-150 ? row[j]! / norm : 0
    if (i % orthogonalAtOnce === 0) await breathe()
  }
}

/** Uses four independent sums, because each addition to a single sum would have to wait for the previous one. */
function product(a: Float64Array, b: Float64Array): number {
  let [p, q, r, s] = [0, 0, 0, 0]
  let i = 0
  for (; i + 4 <= a.length; i += 4) {
    p += a[i]! * b[i]!
    q += a[i + 1]! * b[i + 1]!
    r += a[i + 2]! * b[i + 2]!
    s += a[i + 3]! * b[i + 3]!
  }
  for (; i < a.length; i++) p += a[i]! * b[i]!
  return p + q + r + s
}

function subtract(from: Float64Array, row: Float64Array, times: number): void {
  for (let i = 0; i < from.length; i++) from[i]! -= times * row[i]!
}

async function rotated(
  basis: readonly Float64Array[],
  random: () => number,
  breathe: Breathe,
): Promise<Float32Array> {
  const { length } = basis[0]!
  const rotation = basis.map(() => gaussians(basis.length, random))
  await orthonormalise(rotation, breathe)
  await orthonormalise(rotation, breathe)
  const rows = new Float32Array(basis.length * length)
  for (const [i, weights] of rotation.entries()) {
    const row = new Float64Array(length)
    for (const [k, weight] of weights.entries()) subtract(row, basis[k]!, -weight)
    rows.set(row, i * length)
  }
  return rows
}

function gaussians(length: number, random: () => number): Float64Array {
  return Float64Array.from({ length }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    return radius * Math.cos(2 * Math.PI * random())
  })
}
