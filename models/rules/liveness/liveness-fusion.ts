import type { FaceAnalysis, LiveProbabilities } from '#models/rules/analysis.ts'
import { median } from '#models/rules/median.ts'
import { liveLimits } from './live-limits.ts'
import { liveScore } from './live-score.ts'
import { logistic, logit } from './logit.ts'

/** A single frame's live score, 0...1. Ignores the nearer crop, which only exists for pictures that are judged alone. */
export function frameScore({ live, quality }: Pick<FaceAnalysis, 'live' | 'quality'>): number {
  if (live === undefined) return 0
  const { near, ...wide } = live
  return liveScore(wide, quality.sharpness)
}

/**
 * Combines the live scores of a recording's fair frames into a single score, 0...1. This is the mean of their logits, so that one unlucky frame does
 * not fail a person, or their median if it is lower, so that one lucky frame does not let a replay pass. Undefined if there are no fair frames.
 */
export function fuseLiveness(scores: readonly number[]): number | undefined {
  if (scores.length === 0) return undefined
  const logits = scores.map(logit)
  const mean = logits.reduce((sum, one) => sum + one, 0) / logits.length
  return logistic(Math.min(mean, median(logits)!))
}

/** The minimum score for a recording of a living person. */
export const clipIsLiveFrom = liveLimits().clip

/** Compares a recording's score with the limit for the networks that analysed its frames. */
export function isLiveRecording(
  score: number,
  looked: readonly (Pick<LiveProbabilities, 'second'> | null | undefined)[],
): boolean {
  return score >= recordingLimit(looked)
}

/** The minimum score for a recording of a living person, given the networks that analysed its frames. */
export function recordingLimit(
  looked: readonly (Pick<LiveProbabilities, 'second'> | null | undefined)[],
): number {
  return Math.max(clipIsLiveFrom, ...looked.map((live) => liveLimits(live).clip))
}
