import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { turnsTheHead } from '#models/rules/challenge/movement.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

/**
 * Degrees between a straight and a turned face that are compared. Turned so far, the cues have something to tell; turned further, the mesh no
 * longer lies where the skin is.
 */
export const turnedBetween = { least: 11, most: 36 } as const

/** What the poses of two analyses of one picture, or of a head that moves on, may differ by. */
const spareDegrees = 4

/** Whether a picture in which this action shows so strongly can be compared with a straight look: never, where the action does not turn the head. */
export function isComparable(action: Action, strength: number): boolean {
  if (!turnsTheHead(action)) return false
  const degrees = strength * (action === 'lookUp' ? actionLimits.upDegrees : actionLimits.turnDegrees)
  return degrees >= turnedBetween.least && degrees <= turnedBetween.most - spareDegrees
}
