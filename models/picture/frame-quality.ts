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
export function clarityOf({ quality, pose, aligned }: PixelMeasures): Clarity {
  const links: readonly Clarity[] = [
    { share: share(quality.spread, ranges.spread), weakest: 'spread' },
    { share: share(quality.clipped, ranges.clipped), weakest: 'clipped' },
    { share: share(112 * Math.hypot(aligned[0], aligned[3]), ranges.side), weakest: 'size' },
    { share: share(Math.hypot(pose.yaw, pose.pitch), ranges.turn), weakest: 'turn' },
    { share: share(quality.sharpness, ranges.sharpness), weakest: 'sharpness' },
  ]
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

function share(value: number, [useless, good]: Range): number {
  return Math.max(0, Math.min(1, (value - useless) / (good - useless)))
}

/** The share of the reference pictures whose embeddings are weaker; 1 for a model that has no table. */
function rankOf(strength: number, model: string): number {
  const points = (tables as Readonly<Record<string, Table>>)[model]?.strengths
  if (points === undefined) return 1
  const above = points.findIndex((point) => strength < point.strength)
  if (above < 0) return 1
  const high = points[above]!
  const low = points[above - 1] ?? { strength: 0, share: 0 }
  return low.share + ((strength - low.strength) / (high.strength - low.strength)) * (high.share - low.share)
}

interface Table {
  /** The strength below which a share of the reference pictures lies; ascending. */
  readonly strengths: readonly { readonly share: number; readonly strength: number }[]
}
