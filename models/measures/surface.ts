import type { Picture } from '#models/picture/picture.ts'
import type { HeadFit, Surface } from '#models/rules/analysis.ts'
import { sampleAt } from '#models/rules/liveness/evidence/align.ts'
import { surfaceExtent } from '#models/rules/liveness/evidence/surface.ts'
import { type SkinPlace, skinPlaces } from './skin-places.ts'

/** Pixels per unit of the canonical face (about a centimetre). An adult's face is 43 pixels wide at this scale. */
const pixelsPerUnit = 2.75
/** A point counts as visible if the cosine between its normal and the camera's direction is at least this. */
const leastFacing = 0.45
/** Pixels darker than this say nothing about the light. */
const darkest = 8

/** Collects a face's data for the cues to compare: see `Surface`. @param landmarks 468 points as flat x, y, z, in frame pixels */
export function surfaceOf(picture: Picture, landmarks: Float32Array, { centre, scale }: HeadFit): Surface {
  const step = scale / pixelsPerUnit
  const side = surfaceExtent * step
  const box = { x: centre.x - side / 2, y: centre.y - side / 2, width: side, height: side }
  const sampled = picture.stretch(box, { size: surfaceExtent, channels: 'grey', scale: 1, offset: 0 }).data
  const grey = Uint8Array.from(sampled, (value) => Math.round(value))
  const place = { left: box.x, top: box.y, step, width: picture.width, height: picture.height }
  return { grey, ...place, skin: skinOf(sampled, landmarks, place) }
}

function skinOf(
  grey: Float32Array,
  landmarks: Float32Array,
  { left, top, step }: Pick<Surface, 'left' | 'top' | 'step'>,
): Float32Array {
  return Float32Array.from(skinPlaces(), (place) => {
    if (facing(landmarks, place) < leastFacing) return Number.NaN
    const [x, y] = [0, 1].map((axis) => {
      const { corners, shares } = place
      return corners.reduce((sum, corner, k) => sum + shares[k]! * landmarks[3 * corner + axis]!, 0)
    })
    return Math.log(Math.max(darkest, softAt(grey, (x! - left) / step - 0.5, (y! - top) / step - 0.5)))
  })
}

const binomial = [1, 4, 6, 4, 1]

/** The luminance at a point after a one-pixel blur. */
function softAt(grey: Float32Array, x: number, y: number): number {
  let sum = 0
  for (const [row, down] of binomial.entries()) {
    for (const [column, across] of binomial.entries()) {
      sum += (down * across * sampleAt(grey, x + column - 2, y + row - 2)) / 256
    }
  }
  return sum
}

/** The cosine between the triangle's normal and the camera's direction, regardless of the corners' orientation. */
function facing(landmarks: Float32Array, { corners }: SkinPlace): number {
  const [a, b, c] = corners.map((corner) => 3 * corner) as [number, number, number]
  const along = (from: number, to: number, axis: number) => landmarks[to + axis]! - landmarks[from + axis]!
  const x = along(a, b, 1) * along(a, c, 2) - along(a, b, 2) * along(a, c, 1)
  const y = along(a, b, 2) * along(a, c, 0) - along(a, b, 0) * along(a, c, 2)
  const z = along(a, b, 0) * along(a, c, 1) - along(a, b, 1) * along(a, c, 0)
  return Math.abs(z) / Math.max(1e-9, Math.hypot(x, y, z))
}
