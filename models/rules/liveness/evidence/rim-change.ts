import { answerAt, maskGain } from '#models/picture/noise.ts'
import { median } from '#models/rules/median.ts'
import type { Surface } from '../../analysis.ts'
import { affineResidual, sampleAt } from './align.ts'
import { fillConvex, grown, hullOf } from './convex.ts'
import { type Sight, surfaceExtent } from './surface.ts'

/** How a face's surroundings change between two pictures of the same request. */
export interface RimChange {
  /** The residual that no shift, rotation, scale or shear explains, minus the residual from noise, as a share of the contrast. */
  readonly rest: number
  /** The standard deviation of the surroundings' luminance, in grey levels. */
  readonly contrast: number
  /** How many of the 128 x 128 pixels were compared. */
  readonly pixels: number
}

/** Relative to the face's outline. The surroundings begin far enough out to contain none of the face's pixels. */
const around = { from: 1.06, to: 1.5 } as const
/** The maximum residual, in grey levels, from one level of noise in each picture: 0.8 on average, plus the effect of resampling. */
const leftByNoise = 2

/**
 * Compares the surroundings of a face: hair, ears, neck and background. A turning head shows one ear and hides the other,
 * and uncovers background that no single picture contains. A picture whose face was moved has the surroundings of a
 * single moment.
 */
export function rimChange(a: Sight, b: Sight): RimChange {
  const to = Float32Array.from(a.surface.grey)
  const { grey: from, seen } = broughtTo(a.surface, b.surface)
  const mask = maskAround(a, b, seen)
  const values = (grey: Float32Array) => grey.filter((_, i) => mask[i] === 1)
  const own = values(to)
  const gain = (median([...own]) ?? 0) / Math.max(1, median([...values(from)]) ?? 0)
  for (let i = 0; i < from.length; i++) from[i] = from[i]! * gain
  const contrast = Math.max(1e-6, deviationOf(own))
  const residual = affineResidual({ from, to, mask }) / contrast
  const noise = (leftByNoise * Math.hypot(noiseIn(to, mask), noiseIn(from, mask))) / contrast
  return { rest: Math.sqrt(Math.max(0, residual ** 2 - noise ** 2)), contrast, pixels: own.length }
}

/** The second picture in the first one's coordinates, and a mask of the pixels that both contain. */
function broughtTo(a: Surface, b: Surface) {
  const grey = new Float32Array(surfaceExtent ** 2)
  const seen = new Uint8Array(surfaceExtent ** 2)
  const within = (at: number, length: number) => at >= 0 && at <= length
  for (let row = 0, i = 0; row < surfaceExtent; row++) {
    for (let column = 0; column < surfaceExtent; column++, i++) {
      const x = a.left + (column + 0.5) * a.step
      const y = a.top + (row + 0.5) * a.step
      const u = (x - b.left) / b.step - 0.5
      const v = (y - b.top) / b.step - 0.5
      grey[i] = sampleAt(b.grey, u, v)
      const inBoth = within(u, surfaceExtent - 1) && within(v, surfaceExtent - 1)
      seen[i] = Number(inBoth && within(x, a.width) && within(y, a.height))
    }
  }
  return { grey, seen }
}

function maskAround(a: Sight, b: Sight, seen: Uint8Array): Uint8Array {
  const { left, top, step } = a.surface
  const outlines = [a, b].map(({ landmarks }) => {
    const flat: number[] = []
    for (let i = 0; i < landmarks.length; i += 3)
      flat.push((landmarks[i]! - left) / step, (landmarks[i + 1]! - top) / step)
    return hullOf(flat)
  })
  const mask = new Uint8Array(surfaceExtent ** 2)
  for (const outline of outlines) fillConvex(mask, surfaceExtent, grown(outline, around.to), 1)
  for (const outline of outlines) fillConvex(mask, surfaceExtent, grown(outline, around.from), 0)
  return mask.map((value, i) => value & seen[i]!)
}

function deviationOf(values: Float32Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / Math.max(1, values.length))
}

/** The median absolute value of a standard normal variable. */
const medianDeviation = 0.6745

/** The noise in the masked pixels, in grey levels (standard deviation). See noise.ts. */
function noiseIn(grey: Float32Array, mask: Uint8Array): number {
  const answers: number[] = []
  for (let i = surfaceExtent + 1; i < mask.length - surfaceExtent - 1; i++) {
    if (mask[i] === 1) answers.push(Math.abs(answerAt(grey, i, surfaceExtent)))
  }
  return (median(answers) ?? 0) / (medianDeviation * maskGain)
}
