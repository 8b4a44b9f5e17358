import * as v from 'valibot'

/** What of a device's report hints at pictures that no camera took. Whoever writes the report can leave all of it out. */
export const hintNames = ['virtualCamera', 'unlistedCamera', 'evenFrames', 'constantFrames'] as const
export type Hint = (typeof hintNames)[number]

/** What the page tells of the camera; what is not of this form says nothing. */
const reported = v.object({
  camera: v.object({
    label: v.optional(v.string()),
    isListed: v.optional(v.nullable(v.boolean())),
    frames: v.optional(v.object({ count: v.number(), deviationInMilliseconds: v.number() })),
    repeats: v.optional(v.object({ compared: v.number(), same: v.number() })),
  }),
})

/**
 * Which hints keep a session from `high`. [Note: A hint lowers once it was measured] How evenly real cameras' pictures follow one another
 * was measured on none but Chromium's own: that one is told, and lowers nothing.
 */
const mayLower: Readonly<Record<Hint, boolean>> = {
  virtualCamera: true,
  unlistedCamera: true,
  evenFrames: false,
  constantFrames: true,
}

/** Words in the names of cameras that programs make; phones that serve as cameras are cameras. */
const virtualLabel =
  /\b(obs|virtual|manycam|xsplit|splitcam|vcam|snap camera|akvcam|v4l2 ?loopback|dummy|fake|deepfacelive)(?![a-z])/i

/** Milliseconds: what a sensor and a bus give varies by more than a clock that a program reads. */
const evenFrames = { fewest: 60, deviationBelow: 0.05 } as const

/** Two pictures of a sensor are never the same; of so many pairs, this share is. */
const constantFrames = { fewest: 20, share: 0.6 } as const

/**
 * The hints of a report, for the operator.
 * [Note: Hints lower, and never refuse] The verdict is told one bit of them, which keeps a session from `high`.
 */
export function hintsOf(deviceReport: unknown): Hint[] {
  const read = v.safeParse(reported, deviceReport)
  if (!read.success) return []
  const { label = '', isListed, frames, repeats } = read.output.camera
  const { fewest, deviationBelow } = evenFrames
  const speaks: Readonly<Record<Hint, boolean>> = {
    virtualCamera: virtualLabel.test(label.replaceAll('_', ' ')),
    unlistedCamera: isListed === false,
    evenFrames:
      frames !== undefined && frames.count >= fewest && frames.deviationInMilliseconds < deviationBelow,
    constantFrames:
      repeats !== undefined &&
      repeats.compared >= constantFrames.fewest &&
      repeats.same >= repeats.compared * constantFrames.share,
  }
  return hintNames.filter((hint) => speaks[hint])
}

/** Whether a session with these hints stays below `high`. */
export function isInjectionHinted(hints: readonly Hint[]): boolean {
  return hints.some((hint) => mayLower[hint])
}
