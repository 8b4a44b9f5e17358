import type { Shown } from '#models/rules/liveness/evidence/assurance.ts'
import type { Cue } from '#models/rules/liveness/evidence/cue.ts'

/** What neither drawn pictures nor a test's device can show, for the tests that say so here; after each file nothing is said. */
export const shownEvidence: {
  /** Laid over what a visit has shown, where its assurance is told. */
  shown: Partial<Shown>
  /** Whether a visit lacks what is demanded of every one: a film, and pairs of a turn. Found as always where it is undefined. */
  isMissing: boolean | undefined
} = { shown: {}, isMissing: undefined }

const held = (['light', 'cuts'] as const).map((name): Cue => ({ name, answer: 'held', value: 1 }))

/** A trail that is complete and shows the person, and cues that hold. */
export const strong: Partial<Shown> = {
  isTrailComplete: true,
  isFilmOfPerson: true,
  mayLeaveOut: false,
  cues: held,
}

/** From now on no visit lacks what is demanded, and each shows this besides what it shows. */
export function haveShown(shown: Partial<Shown> = {}): void {
  Object.assign(shownEvidence, { shown, isMissing: false })
}

export function sayNothing(): void {
  Object.assign(shownEvidence, { shown: {}, isMissing: undefined })
}
