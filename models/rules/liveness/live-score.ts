import type { LiveProbabilities } from '#models/rules/analysis.ts'
import { logistic, logit } from './logit.ts'

/** If the variance of the Laplacian (see `Quality`) is below this, the picture is too blurred to trust its score. */
const blurredBelow = 20

/** The weight of a pack's second network, if there is one: see docs/accuracy.md. */
const secondShare = 0.25

/**
 * One score for the crops of a face, 0...1. A nearer crop, if there is one, has half of the weight: people in front of
 * busy walls fail in the wide crop, and screens whose edge is far from the face pass in the near one. A second network is
 * weighed in logits, because a certain one differs by orders of magnitude.
 *
 * [Note: Blur lifts the score] Blur removes the traces of a screen before those of a living face. In a blurred picture
 * only the wide crop counts, and only its part above one half.
 */
export function liveScore(
  { second, ...own }: LiveProbabilities,
  sharpness = Number.POSITIVE_INFINITY,
): number {
  const first = scoreOfFirst(own, sharpness)
  if (second === undefined) return first
  return logistic((1 - secondShare) * logit(first) + secondShare * logit(second.raw))
}

function scoreOfFirst({ near, noise = 0, ...wide }: LiveProbabilities, sharpness: number): number {
  const far = lower(wide, noise)
  if (sharpness < blurredBelow) return Math.max(0, 2 * far - 1)
  return near === undefined ? far : (far + lower(near, noise)) / 2
}

/** The raw crop has its full weight up to the first noise value (in grey levels), and none from the second one upwards. */
const rawIsHeard = { fully: 0.5, notAtAll: 1 } as const

/**
 * [Note: Noise never lifts the score] Noise added to a replay makes the raw crop look live, and a blur hides faint traces
 * of a print. In a clean picture the lower of both scores counts. Camera noise lowers the score of a living face's raw
 * crop, so there the crop blurred to match the noise decides. A better raw crop never helps.
 */
function lower(
  { raw, blurred = raw }: { readonly raw: number; readonly blurred?: number },
  noise: number,
): number {
  const { fully, notAtAll } = rawIsHeard
  const heard = 1 - Math.max(0, Math.min(1, (noise - fully) / (notAtAll - fully)))
  return (1 - heard) * blurred + heard * Math.min(raw, blurred)
}
