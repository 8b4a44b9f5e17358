import type { AssuranceEvidence } from '#models/rules/liveness/evidence/assurance.ts'
import type { Cue } from '#models/rules/liveness/evidence/cue.ts'

/** Evidence that neither drawn pictures nor a test's device can provide. Tests set it here, and it is reset after each file. */
export const shownEvidence: {
  /** Replaces parts of a visit's evidence when its assurance is determined. */
  shown: Partial<AssuranceEvidence>
  /** True if a visit lacks the evidence that every visit must provide: a film and pairs of a turn. Undefined determines this as usual. */
  isMissing: boolean | undefined
} = { shown: {}, isMissing: undefined }

const held = (['light', 'cuts'] as const).map((name): Cue => ({ name, answer: 'held', value: 1 }))

/** A complete trail that shows the person, and cues that hold. */
export const strong: Partial<AssuranceEvidence> = {
  isTrailComplete: true,
  isFilmOfPerson: true,
  mayLeaveOut: false,
  cues: held,
}

/** From here on, no visit lacks required evidence, and each one also provides `shown`. */
export function haveShown(shown: Partial<AssuranceEvidence> = {}): void {
  Object.assign(shownEvidence, { shown, isMissing: false })
}

export function sayNothing(): void {
  Object.assign(shownEvidence, { shown: {}, isMissing: undefined })
}
