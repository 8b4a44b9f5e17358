import { type CalibratedScore, calibratedScores } from './similarity.ts'
import type { TemplateModels } from './templates.ts'

/** The score that a one-to-one comparison must reach. */
export const matchScore = 80

/**
 * The score for a match under the former model to receive an embedding of the current one, which one in 100,000 strangers
 * reaches. [Note: Two embedding models while people return]
 */
export const certainScore = 90

/** The acceptable number of false matches in a whole search, as a negative decimal logarithm: 0.01. */
const falseFindExponent = 2

/**
 * [Note: A threshold per comparison is not one per search] The score that a search must reach so that the number of faces
 * times the false match rate is at most 0.01, and never below 80. Beyond the measured range the scale is extrapolated,
 * and beyond that its last point is used; the answer then says `galleryTooLarge`. `model` made the embeddings; defaults
 * to the current one.
 */
export function searchThreshold(size: number, model?: string): { score: number; galleryTooLarge: boolean } {
  const exponent = Math.log10(Math.max(1, size)) + falseFindExponent
  const points = calibratedScores(model).filter(({ score }) => score >= matchScore)
  const farthestMeasured = points.findLast(({ extrapolated }) => !extrapolated)!
  return { score: scoreAt(points, exponent), galleryTooLarge: exponent > farthestMeasured.exponent }
}

/** The same if some faces only have an embedding from the former model: the higher of the two thresholds. */
export function thresholdAmong(
  size: number,
  { embeddingModel, formerModel }: TemplateModels,
): ReturnType<typeof searchThreshold> {
  const own = searchThreshold(size, embeddingModel)
  if (formerModel === undefined) return own
  const former = searchThreshold(size, formerModel)
  return {
    score: Math.max(own.score, former.score),
    galleryTooLarge: own.galleryTooLarge || former.galleryTooLarge,
  }
}

/**
 * How many faces a search can tell apart reliably. Beyond this number, the score for 0.01 false matches is off the model's scale, and a growing
 * number of strangers match someone.
 */
export function mostDistinguishable(model?: string): number {
  return Math.round(10 ** (calibratedScores(model).at(-1)!.exponent - falseFindExponent))
}

function scoreAt(points: readonly CalibratedScore[], exponent: number): number {
  const above = points.findIndex((point) => exponent <= point.exponent)
  if (above < 0) return points.at(-1)!.score
  if (above === 0) return matchScore
  const low = points[above - 1]!
  const high = points[above]!
  const share = (exponent - low.exponent) / (high.exponent - low.exponent)
  return low.score + share * (high.score - low.score)
}
