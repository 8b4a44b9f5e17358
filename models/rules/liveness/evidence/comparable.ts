import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { turnsTheHead } from '#models/rules/challenge/movement.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

/**
 * The range, in degrees, in which a straight and a turned face are compared. Below it the cues show nothing, and above it the mesh no
 * longer follows the skin.
 */
export const turnedBetween = { least: 11, most: 36 } as const

/** The tolerance for pose differences between two analyses of the same picture, or of a moving head. */
const spareDegrees = 4

/**
 * True if a picture that shows this action with this strength can be compared with a straight look. Always false for actions that do not
 * turn the head.
 */
export function isComparable(action: Action, strength: number): boolean {
  if (!turnsTheHead(action)) return false
  const degrees = strength * (action === 'lookUp' ? actionLimits.upDegrees : actionLimits.turnDegrees)
  return degrees >= turnedBetween.least && degrees <= turnedBetween.most - spareDegrees
}
