import { randomNumbers } from '../../shared/random-numbers.ts'

/** What networks make of a picture that was harmed, and of the same head unharmed. Unit vectors. */
export interface Harmed {
  readonly harm: string
  readonly embedding: Float32Array
  readonly unharmed: Float32Array
}

const iterations = 100
/** How much a harm counts, 1 if it is not named: what happens to pictures most often. Measurements on LFW decided. */
const weights: Readonly<Record<string, number>> = {
  ...{ moved: 3, covered: 3, blurred: 2, small: 2, 'blurred and compressed': 2 },
}

/**
 * The directions in which embeddings of poor pictures are most alike, whoever they show: the leading eigenvectors of the weighted mean, over the
 * harms, of the second moments of what the unharmed picture does not explain. Orthonormal, the strongest first.
 */
export function poorDirections(harmed: readonly Harmed[], count: number): readonly Float64Array[] {
  const moments = secondMoments(harmed)
  const length = harmed[0]!.embedding.length
  const random = randomNumbers(count)
  let basis: Float64Array[] = Array.from({ length: count }, () =>
    Float64Array.from({ length }, () => random() - 0.5),
  )
  for (let i = 0; i < iterations; i++) basis = orthonormal(basis.map((row) => times(moments, row)))
  const strength = (row: Float64Array) => product(times(moments, row), row)
  return basis.sort((a, b) => strength(b) - strength(a))
}

function secondMoments(harmed: readonly Harmed[]): readonly Float64Array[] {
  const { length } = harmed[0]!.embedding
  const moments = Array.from({ length }, () => new Float64Array(length))
  const counts = new Map<string, number>()
  for (const { harm } of harmed) counts.set(harm, (counts.get(harm) ?? 0) + 1)
  for (const { harm, embedding, unharmed } of harmed) {
    const weight = (weights[harm] ?? 1) / counts.get(harm)!
    const along = product(embedding, unharmed)
    const rest = Float64Array.from(embedding, (value, i) => value - along * unharmed[i]!)
    for (const [i, row] of moments.entries()) {
      const times = weight * rest[i]!
      for (let j = 0; j < length; j++) row[j] = row[j]! + times * rest[j]!
    }
  }
  return moments
}

function times(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  return Float64Array.from(matrix, (row) => product(row, vector))
}

/** Gram-Schmidt, twice: once leaves rounding errors behind. */
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

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** The square of the length of what is left of a unit vector without the directions. */
export function restOf(embedding: ArrayLike<number>, directions: readonly Float64Array[]): number {
  return directions.reduce((rest, direction) => rest - product(embedding, direction) ** 2, 1)
}
