import { type CalibratedScore, calibratedScores } from './similarity.ts'
import type { TemplateModels } from './templates.ts'

/** What one comparison must reach. */
export const matchScore = 80

/**
 * What a match under the former model must reach for the face to get an embedding of the one in use: one in 100,000 strangers
 * does. [Note: Two embedding models while people return]
 */
export const certainScore = 90

/** False finds that a whole search may make, as minus the decimal logarithm: 0.01. */
const falseFindExponent = 2

/**
 * [Note: A threshold per comparison is not one per search] The score that a search must reach: the number of faces
 * times the false match rate stays at or below 0.01, and never below 80. Beyond what was measured the scale is
 * extrapolated, and beyond that its last point stands: the answer then says `galleryTooLarge`. `model` made the
 * embeddings; the one in use where not given.
 */
export function searchThreshold(size: number, model?: string): { score: number; galleryTooLarge: boolean } {
  const exponent = Math.log10(Math.max(1, size)) + falseFindExponent
  const points = calibratedScores(model).filter(({ score }) => score >= matchScore)
  const farthestMeasured = points.findLast(({ extrapolated }) => !extrapolated)!
  return { score: scoreAt(points, exponent), galleryTooLarge: exponent > farthestMeasured.exponent }
}

/** The same among faces of which some have an embedding of the former model alone: what both ask for. */
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
 * How many faces a search can tell apart: among more, the score that keeps false finds at 0.01 lies beyond the scale of the model, and the more
 * faces there are, the more strangers are found as somebody.
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
