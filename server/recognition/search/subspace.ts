import { randomNumbers } from '#shared/random-numbers.ts'

/** Lets others have their turn between two steps of long work. */
export type Breathe = () => Promise<void>

const iterations = 6
const samplesAtOnce = 64
const columnsAtOnce = 8

/**
 * An orthonormal basis, row after row, of the subspace in which vectors of one length have most of their energy:
 * orthogonal iteration on their second moments (Golub and Van Loan, Matrix Computations, 8.2.4), then a random
 * rotation, which spreads the energy evenly over the rows. Any basis gives right bounds; a good one gives tight ones.
 */
export async function findSubspace(
  samples: readonly Float32Array[],
  count: number,
  breathe: Breathe,
): Promise<Float32Array> {
  const { length } = samples[0]!
  // Seeded: the same samples always give the same subspace.
  const random = randomNumbers(count)
  const moments = await secondMoments(samples, breathe)
  let basis = Array.from({ length: count }, () => gaussians(length, random))
  orthonormalise(basis)
  for (let i = 0; i < iterations; i++) {
    const next: Float64Array[] = []
    for (const row of basis) {
      next.push(multiplied(moments, row))
      if (next.length % columnsAtOnce === 0) await breathe()
    }
    orthonormalise(next)
    await breathe()
    basis = next
  }
  return rotated(basis, random)
}

/** The mean of x xᵀ, full, row after row. Four samples at a time: the matrix is larger than a fast cache. */
async function secondMoments(samples: readonly Float32Array[], breathe: Breathe): Promise<Float64Array> {
  const { length } = samples[0]!
  const moments = new Float64Array(length * length)
  const none = new Float32Array(length)
  for (let n = 0; n < samples.length; n += 4) {
    const [a, b = none, c = none, d = none] = samples.slice(n, n + 4)
    addProducts(moments, a!, b, c, d)
    if (n % samplesAtOnce === 0) await breathe()
  }
  for (let i = 0; i < length; i++) {
    for (let j = 0; j <= i; j++) {
      const mean = moments[i * length + j]! / samples.length
      moments[i * length + j] = mean
      moments[j * length + i] = mean
    }
  }
  return moments
}

/** Up to the diagonal: the rest is the same. */
function addProducts(
  moments: Float64Array,
  a: Float32Array,
  b: Float32Array,
  c: Float32Array,
  d: Float32Array,
): void {
  const { length } = a
  for (let i = 0; i < length; i++) {
    const [p, q, r, s] = [a[i]!, b[i]!, c[i]!, d[i]!]
    const row = i * length
    for (let j = 0; j <= i; j++) moments[row + j]! += p * a[j]! + q * b[j]! + r * c[j]! + s * d[j]!
  }
}

function multiplied(matrix: Float64Array, vector: Float64Array): Float64Array {
  const { length } = vector
  return vector.map((_, i) => {
    let sum = 0
    for (let j = 0, at = i * length; j < length; j++, at++) sum += matrix[at]! * vector[j]!
    return sum
  })
}

/** Modified Gram-Schmidt, twice: once leaves rounding errors behind where vectors were nearly parallel. */
function orthonormalise(rows: readonly Float64Array[]): void {
  for (const [i, row] of rows.entries()) {
    for (let pass = 0; pass < 2; pass++) {
      for (let k = 0; k < i; k++) subtract(row, rows[k]!, product(row, rows[k]!))
    }
    const norm = Math.sqrt(product(row, row))
    for (let j = 0; j < row.length; j++) row[j] = norm > 1e-150 ? row[j]! / norm : 0
  }
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function subtract(from: Float64Array, row: Float64Array, times: number): void {
  for (let i = 0; i < from.length; i++) from[i]! -= times * row[i]!
}

function rotated(basis: readonly Float64Array[], random: () => number): Float32Array {
  const { length } = basis[0]!
  const rotation = basis.map(() => gaussians(basis.length, random))
  orthonormalise(rotation)
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
