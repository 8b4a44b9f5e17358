import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { turnsTheHead } from '#models/rules/challenge/movement.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

/**
 * Range of degrees between a straight and a turned face that are compared. Below it the cues show nothing; above it the
 * mesh no longer follows the skin.
 */
export const turnedBetween = { least: 11, most: 36 } as const

/** Tolerance for different poses in two analyses of one picture, or of a moving head. */
const spareDegrees = 4

/**
 * True if a picture in which this action shows with this strength can be compared with a straight look; never if the
 * action does not turn the head.
 */
export function isComparable(action: Action, strength: number): boolean {
  if (!turnsTheHead(action)) return false
  const degrees = strength * (action === 'lookUp' ? actionLimits.upDegrees : actionLimits.turnDegrees)
  return degrees >= turnedBetween.least && degrees <= turnedBetween.most - spareDegrees
}
