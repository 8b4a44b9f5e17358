import type { Affine } from '#models/picture/geometry.ts'
import type { Clarity, Pose, Quality } from '#models/rules/analysis.ts'
import tables from '../calibration/quality.json' with { type: 'json' }

/** Measures on the pixels of a face. */
export interface PixelMeasures {
  readonly quality: Pick<Quality, 'sharpness' | 'spread' | 'clipped'>
  readonly pose: Pick<Pose, 'yaw' | 'pitch'>
  /** Maps the aligned 112 x 112 face to the picture: see embedder.ts. */
  readonly aligned: Affine
}

/** The measures that determine a frame's quality. */
export interface FrameMeasures extends PixelMeasures {
  /** The embedding's length before normalisation, and the model that produced it. */
  readonly strength: number
  readonly model: string
}

type Range = readonly [useless: number, good: number]

/**
 * The range of each measure from useless to good enough. It is based on how blur, few pixels, darkness and glare affect the cosine with the
 * undegraded picture, which falls to about 0.7 at a third of the range.
 */
const ranges = {
  sharpness: [2, 12],
  /** Picture pixels across the aligned face. */
  side: [12, 40],
  spread: [12, 40],
  clipped: [0.6, 0.2],
  /** Degrees from the camera. */
  turn: [75, 45],
} as const satisfies Record<string, Range>

/** The quality that the pixels alone allow, 0...1, and the measure that limits it. */
export function clarityOf(measures: PixelMeasures): Clarity {
  const sharpness = share(measures.quality.sharpness, ranges.sharpness)
  return weakest([...framed(measures), { share: sharpness, weakest: 'sharpness' }])
}

/** All pixel measures except sharpness. */
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
 * [Note: The weakest link] The lowest of sharpness, size, exposure, pose and the embedding's strength counts, because a
 * sharp picture does not make up for a dark one. The length of an embedding before normalisation shows how much of a face
 * the network saw. It falls with blur, few pixels, darkness, glare, compression and anything that hides part of the face,
 * and predicts missed matches far better than measures on pixels.
 */
export function frameQuality({ strength, model, ...measures }: FrameMeasures): number {
  return Math.min(clarityOf(measures).share, rankOf(strength, model))
}

/**
 * How much an embedding's strength is discounted for a face that is softer by a factor of e (2.7), per model.
 * Fitted to the mean cosine between a picture and the person's other pictures, on one half of the LFW identities with degraded pictures
 * (ridge regression on both).
 */
const softnesses: Readonly<Record<string, number>> = { 'fr-feature/2': 0.05 }
/** The logarithm of sharpness over the squared spread: the value for a typical press photograph, and the value above which it is just noise. */
const crispness = { usual: -5, most: -4.5 } as const

/**
 * How well a face can be recognised in a single picture, 0...1. One in eight good press photographs is below 0.5, one in
 * two below 0.8.
 *
 * [Note: Soft, not dark] A dark picture is recognised better than its short embedding suggests, a small or blurred one
 * worse. Both have short embeddings, and sharpness relative to contrast distinguishes them, so it adjusts the strength
 * instead of being a weakest link. Below the weakest press photograph the score continues to fall, so that the poorest
 * pictures remain distinguishable. Models without this measurement use the cube root of `frameQuality`.
 */
export function unifiedQuality({ strength, model, ...measures }: FrameMeasures): number {
  const softness = softnesses[model]
  if (softness === undefined) return Math.cbrt(frameQuality({ strength, model, ...measures }))
  const { sharpness, spread } = measures.quality
  const crisp = Math.min(crispness.most, Math.log(sharpness + 0.1) - 2 * Math.log(spread + 5))
  const seen = strength + softness * (crisp - crispness.usual)
  return Math.min(Math.cbrt(weakest(framed(measures)).share), standing(seen, model))
}

/** The cube root of the share of reference pictures that are weaker. Below the weakest one, it falls linearly to 0 at half that strength. */
function standing(strength: number, model: string): number {
  const least = tableOf(model)?.[0]
  if (least === undefined || strength >= least.strength) return Math.cbrt(rankOf(strength, model))
  const half = least.strength / 2
  return Math.cbrt(least.share) * Math.max(0, (strength - half) / half)
}

function share(value: number, [useless, good]: Range): number {
  return Math.max(0, Math.min(1, (value - useless) / (good - useless)))
}

/** The share of the reference pictures with weaker embeddings; 1 for a model without a table. */
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
  /** For each share of the reference pictures, the strength that they fall below, in ascending order. */
  readonly strengths: readonly { readonly share: number; readonly strength: number }[]
}
