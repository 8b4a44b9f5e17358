import type { Feed } from '#models/picture/feed.ts'
import { type Affine, transform } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import { select } from '#models/picture/select.ts'
import type { Quality } from '#models/rules/analysis.ts'

const alignedFeed: Feed = { size: 112, channels: 'grey', scale: 1, offset: 0 }
const surroundFeed: Feed = { size: 32, channels: 'grey', scale: 1, offset: 0 }

/** The luminance (0...255) of the aligned face, 112 x 112 pixels, row by row. */
export function alignedLuminance(picture: Picture, aligned: Affine): Float32Array {
  return picture.warp(aligned, alignedFeed).data
}

/** Measures the sharpness and lighting of the aligned face. See `Quality`. */
export function measureQuality(picture: Picture, aligned: Affine, face: Float32Array): Quality {
  const mean = average(face)
  return {
    sharpness: laplacianVariance(face, alignedFeed.size),
    meanLuminance: mean,
    spread: spreadOf(face),
    clipped: clippedShare(face),
    backgroundRatio: surroundings(picture, aligned) / Math.max(1, mean),
  }
}

function average(values: Float32Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

/** The range from the 5th to the 95th percentile. */
function spreadOf(values: Float32Array): number {
  const left = values.slice()
  const low = select(left, Math.floor(left.length * 0.05))
  return select(left, Math.floor(left.length * 0.95)) - low
}

function clippedShare(values: Float32Array): number {
  let count = 0
  for (const value of values) if (value >= 250) count++
  return count / values.length
}

/** The variance of the four-neighbour Laplacian, which is the usual focus measure (Pech-Pacheco et al. 2000). */
function laplacianVariance(grey: Float32Array, size: number): number {
  let sum = 0
  let squares = 0
  const count = (size - 2) ** 2
  for (let y = 1; y < size - 1; y++) {
    for (let x = 1; x < size - 1; x++) {
      const i = y * size + x
      const value = grey[i - 1]! + grey[i + 1]! + grey[i - size]! + grey[i + size]! - 4 * grey[i]!
      sum += value
      squares += value * value
    }
  }
  return squares / count - (sum / count) ** 2
}

/** The mean luminance of a square three faces wide, excluding the face itself. */
function surroundings(picture: Picture, aligned: Affine): number {
  const centre = transform(aligned, 56, 56)
  const side = Math.hypot(aligned[0], aligned[3]) * 112 * 3
  const box = { x: centre.x - side / 2, y: centre.y - side / 2, width: side, height: side }
  const wide = picture.stretch(box, surroundFeed).data
  let sum = 0
  let count = 0
  for (let y = 0; y < 32; y++) {
    for (let x = 0; x < 32; x++) {
      const px = box.x + ((x + 0.5) / 32) * side
      const py = box.y + ((y + 0.5) / 32) * side
      const inFace = x > 9 && x < 22 && y > 8 && y < 24
      if (inFace || px < 0 || py < 0 || px >= picture.width || py >= picture.height) continue
      sum += wide[y * 32 + x]!
      count++
    }
  }
  return count === 0 ? 0 : sum / count
}
