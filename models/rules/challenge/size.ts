import { type NeutralFace, sizeOf } from '#models/rules/face/neutral-face.ts'
import type { Observation } from '#models/rules/observation.ts'

/**
 * The sizes of a face that `comeCloser` requests, relative to the size at rest, and their tolerances.
 *
 * [Note: Sizes are drawn] One from each range, in either order, the second revealed when the first is reached: 1.2 then
 * 1.6 is coming closer twice, 1.6 then 1.2 is coming closer and going back. They differ by at least a quarter, which
 * perspective needs, and the ranges are further apart than the tolerances on both sides, so no picture satisfies both.
 */
export const sizeRules = {
  /** The lower bound is out of reach for someone who stays in place. */
  halfway: { least: 1.14, most: 1.22 },
  near: { least: 1.53, most: 1.68 },
  /** The maximum share of the picture's shorter side. A larger face would not fit into a landscape picture. */
  largest: 0.7,
  /**
   * The tolerances of the verdict and the page for the logarithm of the size over the requested size. In a measurement on living faces that do not
   * turn (48 people, 5,314 pairs of pictures a twelfth of a second apart), the mesh's width changes by more than 0.026 in 1 of 20 pairs, and by more
   * than 0.048 in 1 of 100.
   */
  tolerance: { needed: 0.1, asked: 0.05 },
} as const

/** Draws two unpredictable sizes. `random` returns an integer below its argument. */
export function drawSizes(random: (below: number) => number): number[] {
  const within = ({ least, most }: { least: number; most: number }) =>
    Math.round(1000 * (least + ((most - least) * random(101)) / 100)) / 1000
  const sizes = [within(sizeRules.halfway), within(sizeRules.near)]
  return random(2) === 0 ? sizes : sizes.reverse()
}

/**
 * Converts a size relative to `atRest` into the requested face width, relative to the shorter side of the picture. If the person starts
 * too close, they move back instead of coming so close that the face is cut off. The ratio between the two sizes stays the same.
 */
export function wantedSize(size: number, atRest: number): number {
  return size * Math.min(atRest, sizeRules.largest / sizeRules.near.most)
}

/** The logarithm of the actual size over the requested size. Negative if the face has to come closer. */
export function sizeOffset(seen: number, size: number, atRest: number): number {
  return Math.log(Math.max(1e-6, seen) / Math.max(1e-6, wantedSize(size, atRest)))
}

/** True if the face in a frame has the requested size. */
export function hasSize(frame: Observation, size: number, neutral: Pick<NeutralFace, 'size'>): boolean {
  const offset = sizeOffset(sizeOf(frame), size, neutral.size)
  return frame.face !== null && Math.abs(offset) <= sizeRules.tolerance.needed
}
