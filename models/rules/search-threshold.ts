import { type CalibratedScore, calibratedScores } from './similarity.ts'

/** What one comparison must reach. */
export const matchScore = 80

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

function scoreAt(points: readonly CalibratedScore[], exponent: number): number {
  const above = points.findIndex((point) => exponent <= point.exponent)
  if (above < 0) return points.at(-1)!.score
  if (above === 0) return matchScore
  const low = points[above - 1]!
  const high = points[above]!
  const share = (exponent - low.exponent) / (high.exponent - low.exponent)
  return low.score + share * (high.score - low.score)
}
