import { type Assurance, assurances } from '#shared/contract/sessions/session.ts'
import type { Cue, CueName } from './cue.ts'

/** What the assurance of a session is made of. */
export interface Shown {
  /** A living person was asked for, and a face was there to be judged. */
  readonly isJudged: boolean
  /** Challenge and passive liveness passed, by every rule of today, also by those that do not decide yet. */
  readonly isPassed: boolean
  /** The device was alone with the person: a kiosk's capture. */
  readonly isOffline: boolean
  readonly isTrailComplete: boolean
  /** The film shows the person of the frames, beyond doubt. */
  readonly isFilmOfPerson: boolean
  /** The configuration lets evidence be left out: nobody is assured of more than `low` then. */
  readonly mayLeaveOut: boolean
  readonly cues: readonly Cue[]
  /**
   * A passkey that was bound at an earlier standard visit was verified in this one, and its face is this one. [Note: A device, never a camera]
   * A maker whom the operator trusts vouches that it is in a device: one of software does not count.
   */
  readonly hasPasskey: boolean
  /** Something hints that the pictures did not come from a camera. */
  readonly isInjectionHinted: boolean
}

/**
 * [Note: What holds must have been hard to make] A face that is enlarged on its own background holds `perspective`, and only two
 * people were measured who came nearer: it is reported, and lifts nobody.
 */
const vouches: Readonly<Record<CueName, boolean>> = { light: true, rim: true, cuts: true, perspective: false }

/** So many cues must hold: with fewer an attacker would choose a picture in which none can tell. */
const fewestHeld = 2

/** How sure a session can be that a living person was there, by its evidence alone: whether it passes is no part of it. */
export function assuranceOf(shown: Shown): Assurance {
  if (!shown.isJudged) return 'none'
  if (!isStandard(shown)) return 'low'
  return shown.hasPasskey && !shown.isInjectionHinted ? 'high' : 'standard'
}

function isStandard({ isPassed, isOffline, mayLeaveOut, cues, ...film }: Shown): boolean {
  const isFilmed = film.isTrailComplete && film.isFilmOfPerson
  const held = cues.filter(({ name, answer }) => answer === 'held' && vouches[name]).length
  const isBroken = cues.some(({ answer }) => answer === 'broken')
  return isPassed && !isOffline && !mayLeaveOut && isFilmed && held >= fewestHeld && !isBroken
}

/** Whether `reached` is less than `least`. */
export function isBelow(reached: Assurance, least: Assurance): boolean {
  return assurances.indexOf(reached) < assurances.indexOf(least)
}

/** [Note: A failed session is worth little] Who did not pass is never assured of more than `low`. */
export function assuranceOfFailed(reached: Assurance): Assurance {
  return isBelow('low', reached) ? 'low' : reached
}
