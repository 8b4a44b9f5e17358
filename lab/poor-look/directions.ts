import { randomNumbers } from '../../shared/random-numbers.ts'

/** The embedding of a head in a harmed or unharmed picture. */
export interface HarmedHead {
  /** `clear` if the picture was not harmed. */
  readonly harm: string
  readonly embedding: Float32Array
  /** The mean of this head's embeddings in unharmed pictures, scaled to length 1. */
  readonly clear: Float32Array
}

export const clear = 'clear'
const iterations = 100

/**
 * The directions in which embeddings of poor pictures are most similar, independent of the person: the leading
 * eigenvectors of the mean, over the harms, of the second moments of the part of an embedding that the clear picture
 * does not explain. Orthonormal, the strongest first.
 */
export function poorDirections(heads: readonly HarmedHead[], count: number): readonly Float64Array[] {
  const moments = secondMoments(heads.filter(({ harm }) => harm !== clear))
  const { length } = moments
  const random = randomNumbers(count)
  let basis: Float64Array[] = Array.from({ length: count }, () =>
    Float64Array.from({ length }, () => random() - 0.5),
  )
  for (let i = 0; i < iterations; i++) basis = orthonormal(basis.map((row) => times(moments, row)))
  const strength = (row: Float64Array) => product(times(moments, row), row)
  return basis.sort((a, b) => strength(b) - strength(a))
}

function secondMoments(heads: readonly HarmedHead[]): readonly Float64Array[] {
  const { length } = heads[0]!.embedding
  const moments = Array.from({ length }, () => new Float64Array(length))
  const counts = new Map<string, number>()
  for (const { harm } of heads) counts.set(harm, (counts.get(harm) ?? 0) + 1)
  for (const { harm, embedding, clear: own } of heads) {
    const weight = 1 / counts.get(harm)!
    const along = product(embedding, own)
    const rest = Float64Array.from(embedding, (value, i) => value - along * own[i]!)
    for (const [i, row] of moments.entries()) {
      const share = weight * rest[i]!
      for (let j = 0; j < length; j++) row[j] = row[j]! + share * rest[j]!
    }
  }
  return moments
}

/** Ridge regression: the weights for the columns of `rows` that come closest to `targets`. */
export function ridge(
  rows: readonly Float64Array[],
  targets: readonly number[],
  weights: readonly number[],
  penalty: number,
): Float64Array {
  const size = rows[0]!.length
  const matrix = Array.from({ length: size }, (_, i) => {
    const row = new Float64Array(size + 1)
    row[i] = penalty
    return row
  })
  for (const [r, row] of rows.entries())
    for (let i = 0; i < size; i++) {
      const share = weights[r]! * row[i]!
      const into = matrix[i]!
      for (let j = 0; j < size; j++) into[j] = into[j]! + share * row[j]!
      into[size] = into[size]! + share * targets[r]!
    }
  return solved(matrix)
}

/** Gaussian elimination. The matrix is positive definite, so no pivoting is needed. Its last column is the right-hand side. */
function solved(matrix: readonly Float64Array[]): Float64Array {
  const size = matrix.length
  for (let k = 0; k < size; k++)
    for (let i = k + 1; i < size; i++) {
      const factor = matrix[i]![k]! / matrix[k]![k]!
      for (let j = k; j <= size; j++) matrix[i]![j] = matrix[i]![j]! - factor * matrix[k]![j]!
    }
  const solution = new Float64Array(size)
  for (let i = size - 1; i >= 0; i--) {
    let sum = matrix[i]![size]!
    for (let j = i + 1; j < size; j++) sum -= matrix[i]![j]! * solution[j]!
    solution[i] = sum / matrix[i]![i]!
  }
  return solution
}

function times(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  return Float64Array.from(matrix, (row) => product(row, vector))
}

/** Applies Gram-Schmidt twice, because a single pass leaves rounding errors. */
function orthonormal(rows: Float64Array[]): Float64Array[] {
  for (const [i, row] of rows.entries()) {
    for (const before of [...rows.slice(0, i), ...rows.slice(0, i)]) {
      const along = product(row, before)
      for (let j = 0; j < row.length; j++) row[j] = row[j]! - along * before[j]!
    }
    const norm = Math.sqrt(product(row, row))
    for (let j = 0; j < row.length; j++) row[j] = row[j]! / norm
  }
  return rows
}

export function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
