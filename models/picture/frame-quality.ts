import type { Clarity, Pose, Quality } from '#models/rules/analysis.ts'
import tables from '../calibration/quality.json' with { type: 'json' }
import type { Affine } from './geometry.ts'

/** What is measured on the pixels of a face. */
export interface PixelMeasures {
  readonly quality: Pick<Quality, 'sharpness' | 'spread' | 'clipped'>
  readonly pose: Pick<Pose, 'yaw' | 'pitch'>
  /** From the aligned 112 x 112 face to the picture: see embedder.ts. */
  readonly aligned: Affine
}

/** What the quality of a frame is judged by. */
export interface FrameMeasures extends PixelMeasures {
  /** Length of the embedding before it was made a unit vector, and the model that made it. */
  readonly strength: number
  readonly model: string
}

type Range = readonly [useless: number, good: number]

/**
 * Where a picture is useless, and from where on it is good enough, by what blur, few pixels, darkness and glare do to
 * the cosine with the same picture unharmed: it falls to about 0.7 at a third of the way.
 */
const ranges = {
  sharpness: [2, 12],
  /** Pixels of the picture across the aligned face. */
  side: [12, 40],
  spread: [12, 40],
  clipped: [0.6, 0.2],
  /** Degrees from the camera. */
  turn: [75, 45],
} as const satisfies Record<string, Range>

/** What the pixels alone allow, 0...1, and which of their measures is the weakest link. */
export function clarityOf(measures: PixelMeasures): Clarity {
  const sharpness = share(measures.quality.sharpness, ranges.sharpness)
  return weakest([...framed(measures), { share: sharpness, weakest: 'sharpness' }])
}

/** All that the pixels allow but for sharpness. */
function framed({ quality, pose, aligned }: PixelMeasures): Clarity[] {
  return [
    { share: share(quality.spread, ranges.spread), weakest: 'spread' },
    { share: share(quality.clipped, ranges.clipped), weakest: 'clipped' },
    { share: share(112 * Math.hypot(aligned[0], aligned[3]), ranges.side), weakest: 'size' },
    { share: share(Math.hypot(pose.yaw, pose.pitch), ranges.turn), weakest: 'turn' },
  ]
}

function weakest(links: readonly Clarity[]): Clarity {
  return links.reduce((least, link) => (link.share < least.share ? link : least))
}

/**
 * How well a face can be recognised in a frame, 0...1: about the share of good press photographs that are worse.
 *
 * [Note: The weakest link] The least of sharpness, size, exposure, pose and the embedding's own strength counts: a sharp
 * picture does not make up for a dark one. The length of an embedding before it is scaled to 1 tells how much of a
 * face the network saw; it falls with blur, few pixels, darkness, glare, compression and whatever hides a part of the
 * face, and predicts missed matches far better than anything measured on pixels.
 */
export function frameQuality({ strength, model, ...measures }: FrameMeasures): number {
  return Math.min(clarityOf(measures).share, rankOf(strength, model))
}

/**
 * By how much an embedding counts as weaker for a face that is softer by a factor of e (2.7), in the strengths of its model. Fitted to the mean
 * cosine of a picture with the person's others, on one half of the people of LFW made poor (ridge regression on both).
 */
const softnesses: Readonly<Record<string, number>> = { 'fr-feature/2': 0.05 }
/** Logarithm of sharpness over the square of the spread: of a usual press photograph, and where more is noise. */
const crispness = { usual: -5, most: -4.5 } as const

/**
 * How well a face can be recognised in a picture that is judged alone, 0...1: 0.5 is what one good press photograph in eight falls short of, 0.8
 * one in two.
 *
 * [Note: Soft, not dark] A dark picture is recognised better than its short embedding says, a small or blurred one worse: both are short, and
 * sharpness for its contrast tells them apart. So it moves the strength, and is no weakest link beside it. Below the weakest of the press photographs
 * the score goes on falling, so that the poorest pictures can be told apart as well. A model that was not measured so has the cube root of `frameQuality`.
 */
export function unifiedQuality({ strength, model, ...measures }: FrameMeasures): number {
  const softness = softnesses[model]
  if (softness === undefined) return Math.cbrt(frameQuality({ strength, model, ...measures }))
  const { sharpness, spread } = measures.quality
  const crisp = Math.min(crispness.most, Math.log(sharpness + 0.1) - 2 * Math.log(spread + 5))
  const seen = strength + softness * (crisp - crispness.usual)
  return Math.min(Math.cbrt(weakest(framed(measures)).share), standing(seen, model))
}

/** The cube root of the share of the reference pictures that are weaker; below the weakest of them straight down to 0 at half its strength. */
function standing(strength: number, model: string): number {
  const least = tableOf(model)?.[0]
  if (least === undefined || strength >= least.strength) return Math.cbrt(rankOf(strength, model))
  const half = least.strength / 2
  return Math.cbrt(least.share) * Math.max(0, (strength - half) / half)
}

function share(value: number, [useless, good]: Range): number {
  return Math.max(0, Math.min(1, (value - useless) / (good - useless)))
}

/** The share of the reference pictures whose embeddings are weaker; 1 for a model that has no table. */
function rankOf(strength: number, model: string): number {
  const points = tableOf(model)
  if (points === undefined) return 1
  const above = points.findIndex((point) => strength < point.strength)
  if (above < 0) return 1
  const high = points[above]!
  const low = points[above - 1] ?? { strength: 0, share: 0 }
  return low.share + ((strength - low.strength) / (high.strength - low.strength)) * (high.share - low.share)
}

function tableOf(model: string): Table['strengths'] | undefined {
  return (tables as Readonly<Record<string, Table>>)[model]?.strengths
}

interface Table {
  /** The strength below which a share of the reference pictures lies; ascending. */
  readonly strengths: readonly { readonly share: number; readonly strength: number }[]
}
