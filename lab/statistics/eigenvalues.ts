/**
 * A symmetric matrix's eigenvalues in descending order. Householder reflections make it tridiagonal, and bisection with Sturm's count finds each
 * eigenvalue (Givens 1954). `matrix` holds size * size numbers and is overwritten.
 */
export function eigenvalues(matrix: Float64Array, size: number): Float64Array {
  const { diagonal, offDiagonal } = tridiagonal(matrix, size)
  const reach = Math.max(
    ...Array.from(
      diagonal,
      (value, i) => Math.abs(value) + Math.abs(offDiagonal[i]!) + Math.abs(offDiagonal[i - 1] ?? 0),
    ),
  )
  return Float64Array.from({ length: size }, (_, i) => {
    let [low, high] = [-reach, reach]
    for (let step = 0; step < 60; step++) {
      const mid = (low + high) / 2
      if (countAbove(diagonal, offDiagonal, mid) > i) low = mid
      else high = mid
    }
    return (low + high) / 2
  })
}

interface Tridiagonal {
  readonly diagonal: Float64Array
  /** `offDiagonal[i]` is between elements i and i + 1 of the diagonal. The last one is 0. */
  readonly offDiagonal: Float64Array
}

function tridiagonal(matrix: Float64Array, size: number): Tridiagonal {
  const offDiagonal = new Float64Array(size)
  for (let k = 0; k + 1 < size; k++) {
    const mirror = new Float64Array(size)
    let squares = 0
    for (let i = k + 1; i < size; i++) {
      mirror[i] = matrix[i * size + k]!
      squares += mirror[i]! ** 2
    }
    const length = Math.sqrt(squares)
    const sign = mirror[k + 1]! > 0 ? 1 : -1
    offDiagonal[k] = -sign * length
    mirror[k + 1] = mirror[k + 1]! + sign * length
    if (k + 2 < size && length > 0) reflect(matrix, size, mirror, k + 1)
  }
  return {
    diagonal: Float64Array.from({ length: size }, (_, i) => matrix[i * size + i]!),
    offDiagonal: offDiagonal,
  }
}

/** Applies a reflection from both sides to the part that starts at `from`: A - v w' - w v'. */
function reflect(matrix: Float64Array, size: number, v: Float64Array, from: number): void {
  let squares = 0
  for (let i = from; i < size; i++) squares += v[i]! ** 2
  const w = new Float64Array(size)
  let along = 0
  for (let i = from; i < size; i++) {
    let sum = 0
    for (let j = from; j < size; j++) sum += matrix[i * size + j]! * v[j]!
    w[i] = (2 * sum) / squares
    along += w[i]! * v[i]!
  }
  for (let i = from; i < size; i++) w[i] = w[i]! - (along / squares) * v[i]!
  for (let i = from; i < size; i++)
    for (let j = from; j < size; j++)
      matrix[i * size + j] = matrix[i * size + j]! - v[i]! * w[j]! - w[i]! * v[j]!
}

/** The number of eigenvalues above a limit, based on the pivots' signs. */
function countAbove(diagonal: Float64Array, offDiagonal: Float64Array, limit: number): number {
  let above = 0
  let pivot = 1
  for (let i = 0; i < diagonal.length; i++) {
    const coupling = i === 0 ? 0 : offDiagonal[i - 1]! ** 2 / pivot
    pivot = diagonal[i]! - limit - coupling
    if (pivot === 0) pivot = Number.EPSILON
    if (pivot > 0) above++
  }
  return above
}
