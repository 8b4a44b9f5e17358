import type { Observation } from '#models/rules/observation.ts'
import { type Neutral, sizeOf } from './neutral-face.ts'

/**
 * The sizes of a face that `comeCloser` asks for, in times of the size at rest, and how near they must be met.
 *
 * [Note: Sizes are drawn] One of each range, in either order, the second revealed when the first was reached: 1.2 then 1.6 is
 * coming closer twice, 1.6 then 1.2 is coming closer and going back. The two differ by a quarter at least, which is what
 * perspective needs, and the ranges lie further apart than what is let pass on both sides: no picture is right for both.
 */
export const sizeRules = {
  /** Nobody who stays where they are meets the least of it. */
  halfway: { least: 1.14, most: 1.22 },
  near: { least: 1.53, most: 1.68 },
  /** Share of the picture's shorter side: a face that is larger does not fit into a picture that lies. */
  largest: 0.7,
  /**
   * Logarithm of the ratio of the size to the wanted one: what the verdict lets pass, and what the page asks for. Measured:
   * of a living face that does not turn, the mesh's width changes by 0.026 between two pictures of a twelfth of a second in
   * one of 20 (48 people, 5,314 pairs), by 0.048 in one of 100.
   */
  tolerance: { needed: 0.1, asked: 0.05 },
} as const

/** Two sizes, unpredictably. `random` gives a whole number below its argument. */
export function drawSizes(random: (below: number) => number): number[] {
  const within = ({ least, most }: { least: number; most: number }) =>
    Math.round(1000 * (least + ((most - least) * random(101)) / 100)) / 1000
  const sizes = [within(sizeRules.halfway), within(sizeRules.near)]
  return random(2) === 0 ? sizes : sizes.reverse()
}

/**
 * The wanted width of the face over the shorter side of the picture, for a size in times of `atRest`. Who is near from the
 * start goes back instead of coming so near that the face is cut: both sizes keep their ratio.
 */
export function wantedSize(size: number, atRest: number): number {
  return size * Math.min(atRest, sizeRules.largest / sizeRules.near.most)
}

/** Logarithm of the ratio of what is seen to what is wanted: below 0 where the face is to come nearer. */
export function sizeOffset(seen: number, size: number, atRest: number): number {
  return Math.log(Math.max(1e-6, seen) / Math.max(1e-6, wantedSize(size, atRest)))
}

/** Whether a frame shows the face at a size. */
export function hasSize(frame: Observation, size: number, neutral: Pick<Neutral, 'size'>): boolean {
  const offset = sizeOffset(sizeOf(frame), size, neutral.size)
  return frame.face !== null && Math.abs(offset) <= sizeRules.tolerance.needed
}
