import type { FaceAnalysis } from '#models/rules/analysis.ts'
import { median } from '#models/rules/median.ts'
import calibration from '../../calibration/liveness.json' with { type: 'json' }
import { liveScore } from './live-score.ts'

/** The live score of one frame of several, 0...1: without the nearer crop, which only a picture that is judged alone has. */
export function frameScore({ live, quality }: Pick<FaceAnalysis, 'live' | 'quality'>): number {
  if (live === undefined) return 0
  const { near, ...wide } = live
  return liveScore(wide, quality.sharpness)
}

/**
 * One score for a recording, 0...1, from the live scores of its fair frames: the lower of their mean and their median, so that neither a
 * lucky frame of a replay nor half of them is enough. Undefined where there is none.
 */
export function fuseLiveness(scores: readonly number[]): number | undefined {
  if (scores.length === 0) return undefined
  return Math.min(scores.reduce((sum, score) => sum + score, 0) / scores.length, median(scores)!)
}

/** From here a recording's score is that of a living person: see the network's card. */
export const clipIsLiveFrom = calibration.clip
