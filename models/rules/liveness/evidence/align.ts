import { surfaceExtent } from './surface.ts'

/** Two pictures in the same coordinates and a mask of the pixels to compare (1). All of them are 128 x 128 pixels. */
export interface Pair {
  readonly from: Float32Array
  readonly to: Float32Array
  readonly mask: Uint8Array
}

const side = surfaceExtent
const half = side / 2
const rounds = 8
/** In grey levels. Larger differences get less and less weight, so that genuine differences do not distort the alignment. */
const robustBeyond = 3
const damping = 0.01
const parameters = 6

/**
 * The residual when `from` may be shifted, rotated, scaled and sheared to match `to`, as the mean absolute difference of the masked pixels under the
 * best affine map, in grey levels. Uses Gauss-Newton with robust weights (Lucas & Kanade 1981; Huber 1964), starting from no movement.
 */
export function affineResidual({ from, to, mask }: Pair): number {
  const places = placesOf(mask)
  let map = new Float64Array(parameters)
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const { rest, matrix, slope } = linearised(from, to, places, map)
    if (rest < least) least = rest
    map = stepped(map, matrix, slope)
  }
  return least
}

function placesOf(mask: Uint8Array): number[] {
  const places: number[] = []
  for (let i = 0; i < mask.length; i++) if (mask[i] === 1) places.push(i)
  return places
}

function linearised(from: Float32Array, to: Float32Array, places: readonly number[], map: Float64Array) {
  const matrix = new Float64Array(parameters * parameters)
  const slope = new Float64Array(parameters)
  const row = new Float64Array(parameters)
  let sum = 0
  for (const place of places) {
    const column = place % side
    const line = (place - column) / side
    const x = (column - half) / half
    const y = (line - half) / half
    const u = column + half * (map[0]! + map[1]! * x + map[2]! * y)
    const v = line + half * (map[3]! + map[4]! * x + map[5]! * y)
    const rest = to[place]! - sampleAt(from, u, v)
    sum += Math.abs(rest)
    const across = (half * (sampleAt(from, u + 1, v) - sampleAt(from, u - 1, v))) / 2
    const down = (half * (sampleAt(from, u, v + 1) - sampleAt(from, u, v - 1))) / 2
    row.set([across, across * x, across * y, down, down * x, down * y])
    add(matrix, slope, row, rest, 1 / Math.max(robustBeyond, Math.abs(rest)))
  }
  return { rest: sum / Math.max(1, places.length), matrix, slope }
}

function add(matrix: Float64Array, slope: Float64Array, row: Float64Array, rest: number, weight: number) {
  for (let i = 0; i < parameters; i++) {
    const own = weight * row[i]!
    slope[i] = slope[i]! + own * rest
    for (let j = i; j < parameters; j++)
      matrix[i * parameters + j] = matrix[i * parameters + j]! + own * row[j]!
  }
}

/** Takes one damped step, solving the normal equations by Cholesky decomposition (only the upper half of `matrix` is read). */
function stepped(map: Float64Array, matrix: Float64Array, slope: Float64Array): Float64Array<ArrayBuffer> {
  const n = parameters
  let trace = 0
  for (let i = 0; i < n; i++) trace += matrix[i * n + i]!
  const lower = new Float64Array(n * n)
  const found = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[j * n + i]! + (i === j ? (damping * trace) / n + 1e-9 : 0)
      for (let k = 0; k < j; k++) sum -= lower[i * n + k]! * lower[j * n + k]!
      lower[i * n + j] = i === j ? Math.sqrt(Math.max(1e-12, sum)) : sum / lower[j * n + j]!
    }
    let sum = slope[i]!
    for (let k = 0; k < i; k++) sum -= lower[i * n + k]! * found[k]!
    found[i] = sum / lower[i * n + i]!
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = found[i]!
    for (let k = i + 1; k < n; k++) sum -= lower[k * n + i]! * found[k]!
    found[i] = sum / lower[i * n + i]!
  }
  return map.map((value, i) => value + found[i]!) as Float64Array<ArrayBuffer>
}

/** Interpolates between four pixels. Beyond the edge, the edge pixels are repeated. */
export function sampleAt(grey: ArrayLike<number>, x: number, y: number): number {
  const cx = x < 0 ? 0 : x > side - 1.001 ? side - 1.001 : x
  const cy = y < 0 ? 0 : y > side - 1.001 ? side - 1.001 : y
  const left = Math.floor(cx)
  const top = Math.floor(cy)
  const [fx, fy] = [cx - left, cy - top]
  const i = top * side + left
  return (
    (grey[i]! * (1 - fx) + grey[i + 1]! * fx) * (1 - fy) +
    (grey[i + side]! * (1 - fx) + grey[i + side + 1]! * fx) * fy
  )
}
