/** What of a device's report hints at pictures that no camera took. Whoever writes the report can leave all of it out. */
export const hintNames = ['virtualCamera', 'unlistedCamera', 'evenFrames', 'constantFrames'] as const
export type Hint = (typeof hintNames)[number]

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
  const camera = memberOf(deviceReport, 'camera')
  const label = memberOf(camera, 'label')
  const frames = memberOf(camera, 'frames')
  const repeats = memberOf(camera, 'repeats')
  const compared = numberOf(repeats, 'compared')
  const { fewest, deviationBelow } = evenFrames
  const speaks: Readonly<Record<Hint, boolean>> = {
    virtualCamera: typeof label === 'string' && virtualLabel.test(label.replaceAll('_', ' ')),
    unlistedCamera: memberOf(camera, 'isListed') === false,
    evenFrames:
      numberOf(frames, 'count') >= fewest && numberOf(frames, 'deviationInMilliseconds') < deviationBelow,
    constantFrames:
      compared >= constantFrames.fewest && numberOf(repeats, 'same') >= compared * constantFrames.share,
  }
  return hintNames.filter((hint) => speaks[hint])
}

/** Whether a session with these hints stays below `high`. */
export function isInjectionHinted(hints: readonly Hint[]): boolean {
  return hints.some((hint) => mayLower[hint])
}

/** What is not of this form says nothing: anybody may have written it. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Not a number where there is none, which compares with nothing. */
function numberOf(value: unknown, name: string): number {
  const member = memberOf(value, name)
  return typeof member === 'number' ? member : Number.NaN
}
