import { type Bytes, bytesOf, type Frame } from '#models/picture/frame.ts'
import { luminance } from '#models/picture/resample.ts'

/** The side of the grid that a picture is reduced to. */
export const signatureSide = 32

/**
 * Mean luminance of each cell of a 32 x 32 grid over the whole picture, row by row, 0...255, with fractional weights for
 * pixels at cell borders. Re-encoding or scaling the picture changes a value by a few tenths; taking another picture,
 * even of the same scene, changes the light by more.
 */
export function sceneSignature(frame: Frame): Float32Array {
  const { width, height } = frame
  const { bytes, each } = bytesOf(frame)
  const sums = new Float64Array(signatureSide * signatureSide)
  const row = new Float64Array(signatureSide)
  for (let y = 0; y < height; y++) {
    sumRow(bytes, each, y * width * each, width, row)
    const top = (y * signatureSide) / height
    const bottom = ((y + 1) * signatureSide) / height
    for (let cell = Math.floor(top); cell < bottom && cell < signatureSide; cell++) {
      const share = Math.min(bottom, cell + 1) - Math.max(top, cell)
      for (let x = 0; x < signatureSide; x++) sums[cell * signatureSide + x]! += row[x]! * share
    }
  }
  return Float32Array.from(sums)
}

/** Reduces a row of pixels to 32 means. */
function sumRow(bytes: Bytes, each: number, start: number, width: number, row: Float64Array): void {
  row.fill(0)
  const step = signatureSide / width
  for (let x = 0, i = start; x < width; x++, i += each) {
    const value = luminance(bytes[i]!, bytes[i + 1]!, bytes[i + 2]!)
    const left = x * step
    const right = left + step
    const cell = Math.floor(left)
    if (right <= cell + 1 || cell + 1 >= signatureSide) row[cell]! += value * step
    else if (step <= 1) {
      row[cell]! += value * (cell + 1 - left)
      row[cell + 1]! += value * (right - cell - 1)
    } else spread(row, value, left, right)
  }
}

function spread(row: Float64Array, value: number, left: number, right: number): void {
  for (let cell = Math.floor(left); cell < right && cell < signatureSide; cell++) {
    row[cell]! += value * (Math.min(right, cell + 1) - Math.max(left, cell))
  }
}

const rimSide = 16

/** The rim's cells as column and row in a 16 x 16 grid: first the upper border, then the left and right cell of each row below it. */
const rimCells: readonly (readonly [column: number, row: number])[] = [
  ...Array.from({ length: rimSide }, (_, column) => [column, 0] as const),
  ...Array.from({ length: rimSide - 1 }, (_, i) => [
    [0, i + 1] as const,
    [rimSide - 1, i + 1] as const,
  ]).flat(),
]

/** The centre of each of the rim's cells, in shares of the picture's width and height. */
export const rimPlaces = rimCells.map(([column, row]) => ({
  x: (column + 0.5) / rimSide,
  y: (row + 0.5) / rimSide,
}))

/**
 * The picture's rim, derived from its signature: the means of the left, upper and right border cells of a 16 x 16 grid (46 numbers).
 * The lower border is left out because it shows the person.
 */
export function rimOf(signature: Float32Array): number[] {
  const cell = signatureSide / rimSide
  const mean = (column: number, row: number) => {
    let sum = 0
    for (let y = row * cell; y < (row + 1) * cell; y++) {
      for (let x = column * cell; x < (column + 1) * cell; x++) sum += signature[y * signatureSide + x]!
    }
    return sum / cell ** 2
  }
  return rimCells.map(([column, row]) => mean(column, row))
}
