import type { AnalysisStages, FaceAnalysis } from '#models/rules/analysis.ts'
import { liveLimits } from './live-limits.ts'
import { liveScore } from './live-score.ts'

/** The stages needed to judge the liveness of a single picture. */
export const livenessOfImage: AnalysisStages = { group: 'otherwise', liveness: 'still' }

export interface LivenessJudgement {
  readonly isLive: boolean
  /** The confidence in the answer, whichever it is, 0...1. */
  readonly confidence: number
  readonly spoofType: 'photo' | 'video' | null
}

/** The minimum score for a picture of a living face. */
export const pictureIsLiveFrom = liveLimits().image

/**
 * Decides if one picture shows a living face.
 *
 * [Note: Ours] `confidence` refers to the answer: 0.5 if the score is exactly at the limit, 1 at its ends. A spoof is a
 * `video` if a screen is visible, otherwise a `photo`. Nothing we measured distinguishes a mask or a generated face, so
 * these are never returned.
 */
export function judgeLiveness({ live, quality }: Pick<FaceAnalysis, 'live' | 'quality'>): LivenessJudgement {
  const score = live === undefined ? 0 : liveScore(live, quality.sharpness)
  const { image: limit, screen: screenFrom } = liveLimits(live)
  if (score >= limit) {
    return { isLive: true, confidence: 0.5 + (0.5 * (score - limit)) / (1 - limit), spoofType: null }
  }
  const spoofType = (live?.darkSurround ?? 0) >= screenFrom ? 'video' : 'photo'
  return { isLive: false, confidence: 0.5 + (0.5 * (limit - score)) / limit, spoofType }
}
