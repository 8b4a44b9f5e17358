import { isNoisy } from '#models/rules/fair-frame.ts'
import type { CaptureFault, Hint } from '#web/wording/findings.ts'
import type { Analysis } from '#workers/api.ts'
import { thresholds } from './thresholds.ts'

/** True if the pixels are good enough for the server, which would request blurred and noisy pictures again. */
export function isClear({ face }: Analysis): boolean {
  return face !== undefined && face.clarity.share >= thresholds.leastClarity && !isNoisy(face)
}

/**
 * Why a picture does not count: the current hint, or else its weakest quality measure, or else the pose. Dark
 * pictures have few edges, so they look blurred too, but the remedy is more light, so they count as dark.
 */
export function lookFault(analysis: Analysis, found: Hint | null): CaptureFault {
  const fault = nearestFault(analysis, found)
  return fault === 'blurred' && analysis.luminance < thresholds.darkLuminance ? 'dark' : fault
}

function nearestFault(analysis: Analysis, found: Hint | null): CaptureFault {
  const weakest = analysis.face?.clarity.weakest
  if (found !== null) return ofHint[found]
  if (isClear(analysis) || weakest === undefined) return 'turned'
  return isNoisy(analysis.face!) ? 'dark' : ofMeasure[weakest]
}

/** The most frequent fault; on a tie, the last one. */
export function commonest(faults: readonly CaptureFault[]): CaptureFault | null {
  const count = (fault: CaptureFault) => faults.filter((other) => other === fault).length
  return faults.reduce<CaptureFault | null>(
    (most, fault) => (most === null || count(fault) >= count(most) ? fault : most),
    null,
  )
}

const ofMeasure = {
  spread: 'dark',
  clipped: 'bright',
  sharpness: 'blurred',
  size: 'far',
  turn: 'turned',
} as const satisfies Record<string, CaptureFault>

const ofHint: Readonly<Record<Hint, CaptureFault>> = {
  onePerson: 'several',
  tooDark: 'dark',
  toLight: 'dark',
  backlight: 'dark',
  tooBright: 'bright',
  showFace: 'absent',
  intoPicture: 'absent',
  toLeft: 'absent',
  toRight: 'absent',
  up: 'absent',
  down: 'absent',
  closer: 'far',
  back: 'absent',
  visible: 'covered',
  straight: 'turned',
  upright: 'turned',
  still: 'blurred',
}
