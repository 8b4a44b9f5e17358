import type { LiveProbabilities } from '#models/rules/analysis.ts'

/** Variance of the Laplacian (see `Quality`) below which a picture is too blurred to be believed as it is. */
const blurredBelow = 20

/**
 * One score for the crops of a face, 0...1. Where there is a nearer crop, each has half: people before busy walls fail in
 * the wide one, screens whose edge is far from the face pass in the near one.
 *
 * [Note: Blur lifts the score] What gives a screen away goes before a living face does. Of a blurred picture the wide crop alone
 * counts, and only what it has above a half.
 */
export function liveScore({ second, ...live }: LiveProbabilities, sharpness?: number): number {
  const own = scoreOfOne(live, sharpness)
  return second === undefined ? own : meanOfLogits(own, scoreOfOne(second, sharpness))
}

/** Two probabilities as one: logits are averaged, because a network that is sure says so by an order of magnitude. */
function meanOfLogits(a: number, b: number): number {
  return 1 / (1 + Math.exp(-(logit(a) + logit(b)) / 2))
}

function logit(probability: number): number {
  const bounded = Math.max(1e-6, Math.min(1 - 1e-6, probability))
  return Math.log(bounded / (1 - bounded))
}

function scoreOfOne(
  { near, ...wide }: Omit<LiveProbabilities, 'second'>,
  sharpness = Number.POSITIVE_INFINITY,
): number {
  if (sharpness < blurredBelow) return Math.max(0, 2 * weighed(wide) - 1)
  return near === undefined ? weighed(wide) : (weighed(wide) + weighed(near)) / 2
}

/**
 * The blurred crop decides, and the raw one, where it is lower, pulls it down by a quarter of the difference.
 *
 * [Note: Noise never lifts the score] Noise added to a replay turns the raw crop live, so a raw crop that is better than the
 * blurred one counts as that. The faint noise of a camera pulls the raw crop of a living face down, so it does not decide.
 */
function weighed({ raw, blurred = raw }: { readonly raw: number; readonly blurred?: number }): number {
  return 0.75 * blurred + 0.25 * Math.min(raw, blurred)
}
