import type { Raster } from './raster.ts'

/** Three colour values and a weight for each position. */
interface WeightedCorners {
  readonly width: number
  readonly height: number
  readonly colours: Float32Array
  readonly weights: Float32Array
}

/**
 * Fills a picture's covered parts from their surroundings. It repeatedly halves the picture, averaging only uncovered pixels, and then goes back
 * up from the coarsest level, so that each hole is filled with the colours around it.
 *
 * @param isOpen 0...1 for each pixel
 */
export function filledIn({ width, height, rgb }: Raster, isOpen: Float32Array): Raster {
  const colours = Float32Array.from(rgb, (value, i) => value * isOpen[Math.floor(i / 3)]!)
  const filled = fillUp({ width, height, colours, weights: isOpen })
  return {
    width,
    height,
    rgb: Uint8Array.from(filled, (value) => Math.max(0, Math.min(255, Math.round(value)))),
  }
}

/** The colours of a level without gaps, since these are filled from the next coarser level. */
function fillUp(level: WeightedCorners): Float32Array {
  const { width, height, colours, weights } = level
  if (width < 2 && height < 2)
    return colours.map((value, i) => value / Math.max(1e-6, weights[Math.floor(i / 3)]!))
  const coarse = halved(level)
  const below = fillUp(coarse)
  return colours.map((value, i) => {
    const pixel = Math.floor(i / 3)
    const missing = 1 - weights[pixel]!
    if (missing <= 0) return value
    return value + missing * readAt(below, coarse, pixel % width, Math.floor(pixel / width), i % 3)
  })
}

/** Merges four positions into one, which counts as fully open once their weights add up to 1. */
function halved({ width, height, colours, weights }: WeightedCorners): WeightedCorners {
  const half = { width: (width + 1) >> 1, height: (height + 1) >> 1 }
  const sums = {
    colours: new Float32Array(3 * half.width * half.height),
    weights: new Float32Array(half.width * half.height),
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = y * width + x
      const to = (y >> 1) * half.width + (x >> 1)
      sums.weights[to] = sums.weights[to]! + weights[from]!
      for (let k = 0; k < 3; k++)
        sums.colours[3 * to + k] = sums.colours[3 * to + k]! + colours[3 * from + k]!
    }
  }
  const most = sums.weights.map((weight) => Math.max(1, weight))
  return {
    ...half,
    colours: sums.colours.map((value, i) => value / most[Math.floor(i / 3)]!),
    weights: sums.weights.map((weight, i) => weight / most[i]!),
  }
}

/** The coarser level's colour at a position of the finer one, interpolated between four positions. */
function readAt(
  colours: Float32Array,
  { width, height }: WeightedCorners,
  x: number,
  y: number,
  k: number,
): number {
  const across = Math.max(0, Math.min(width - 1, x / 2 - 0.25))
  const down = Math.max(0, Math.min(height - 1, y / 2 - 0.25))
  const [left, top] = [Math.floor(across), Math.floor(down)]
  const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)]
  const at = (column: number, row: number) => colours[3 * (row * width + column) + k]!
  const upper = at(left, top) + (across - left) * (at(right, top) - at(left, top))
  const lower = at(left, bottom) + (across - left) * (at(right, bottom) - at(left, bottom))
  return upper + (down - top) * (lower - upper)
}
