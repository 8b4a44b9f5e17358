import { type Assurance, assurances } from '#shared/contract/configuration/check-settings.ts'
import type { Cue, CueName } from './cue.ts'

/** The evidence that determines a session's assurance. */
export interface AssuranceEvidence {
  /** True if liveness was required and there was a face to judge. */
  readonly isJudged: boolean
  /** True if the challenge and passive liveness passed by all current rules, including those that are not decisive yet. */
  readonly isPassed: boolean
  /** True if the device was alone with the person, i.e. for a kiosk's capture. */
  readonly isOffline: boolean
  readonly isTrailComplete: boolean
  /** True if the film clearly shows the same person as the frames. */
  readonly isFilmOfPerson: boolean
  /** True if the configuration allows evidence to be left out. The assurance is then never higher than `low`. */
  readonly mayLeaveOut: boolean
  readonly cues: readonly Cue[]
  /**
   * True if a passkey that was bound at an earlier `standard` visit was verified in this one, and its face matches.
   * [Note: A device, never a camera] A manufacturer that the operator trusts attests that the passkey is in a device. Software passkeys do not
   * count.
   */
  readonly hasPasskey: boolean
  /** True if there is a hint that the pictures did not come from a camera. */
  readonly isInjectionHinted: boolean
}

/**
 * [Note: What holds must have been hard to make] Enlarging a face on its original background is enough to hold `perspective`, and only two people
 * were measured coming closer, so this cue is reported but does not raise the assurance.
 */
const vouches: Readonly<Record<CueName, boolean>> = { light: true, rim: true, cuts: true, perspective: false }

/** The minimum number of cues that must hold. If fewer were enough, an attacker could choose a picture for which no cue can tell. */
const fewestHeld = 2

/** The assurance that a living person was present, based on the evidence alone and regardless of the verdict. */
export function assuranceOf(shown: AssuranceEvidence): Assurance {
  if (!shown.isJudged) return 'none'
  if (!isStandard(shown)) return 'low'
  return shown.hasPasskey && !shown.isInjectionHinted ? 'high' : 'standard'
}

function isStandard({ isPassed, isOffline, mayLeaveOut, cues, ...film }: AssuranceEvidence): boolean {
  const isFilmed = film.isTrailComplete && film.isFilmOfPerson
  const held = cues.filter(({ name, answer }) => answer === 'held' && vouches[name]).length
  const isBroken = cues.some(({ answer }) => answer === 'broken')
  return isPassed && !isOffline && !mayLeaveOut && isFilmed && held >= fewestHeld && !isBroken
}

/** True if `reached` is lower than `least`. */
export function isBelow(reached: Assurance, least: Assurance): boolean {
  return assurances.indexOf(reached) < assurances.indexOf(least)
}

/** [Note: A failed session is worth little] If the person did not pass, the assurance is at most `low`. */
export function assuranceOfFailed(reached: Assurance): Assurance {
  return isBelow('low', reached) ? 'low' : reached
}
