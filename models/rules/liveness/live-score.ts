import type { LiveProbabilities } from '#models/rules/analysis.ts'
import { logistic, logit } from './logit.ts'

/** Variance of the Laplacian (see `Quality`) below which a picture is too blurred to be believed as it is. */
const blurredBelow = 20

/** The part of a second network's word, where a pack has one: see docs/accuracy.md. */
const secondShare = 0.25

/**
 * One score for the crops of a face, 0...1. Where there is a nearer crop, each has half: people before busy walls fail in
 * the wide one, screens whose edge is far from the face pass in the near one. A second network is weighed in logits, because one that
 * is sure says so by orders of magnitude.
 *
 * [Note: Blur lifts the score] What gives a screen away goes before a living face does. Of a blurred picture the wide crop alone
 * counts, and only what it has above a half.
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

/** Grey levels of noise in the crop up to which the raw crop has its full say, and from which on it has none. */
const rawIsHeard = { fully: 0.5, notAtAll: 1 } as const

/**
 * [Note: Noise never lifts the score] Noise added to a replay turns the raw crop live, and a blur hides what is faint in a print. In a clean picture
 * the lower of both counts. The noise of a camera takes the raw crop of a living face down, so the blurred one, whose blur fits
 * the noise, decides there; a raw crop that is better never helps.
 */
function lower(
  { raw, blurred = raw }: { readonly raw: number; readonly blurred?: number },
  noise: number,
): number {
  const { fully, notAtAll } = rawIsHeard
  const heard = 1 - Math.max(0, Math.min(1, (noise - fully) / (notAtAll - fully)))
  return (1 - heard) * blurred + heard * Math.min(raw, blurred)
}
