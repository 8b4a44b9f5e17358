import { turnsTheHead } from '#models/rules/challenge/movement.ts'
import { isComparable } from '#models/rules/liveness/evidence/comparable.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { frameLimits, straightShare } from '../selection.ts'
import { thresholds } from '../thresholds.ts'

/** Decides which pictures of a turn are sent early. Takes none of other actions. `room` is the number of frames that the step may submit. */
export function createTurnPictures(action: Action, room: number) {
  const missing = new Set(turnsTheHead(action) ? (['straight', 'turned'] as const) : [])
  let straightAt = Number.POSITIVE_INFINITY
  let isAgainTaken = missing.size === 0 || room <= frameLimits.step
  return {
    /**
     * The pictures that the server compares: one straight and one turned, but not too far. Each is needed once; true if this strength is needed
     * now. [Note: There and back] If the person turns immediately or too fast for the camera, they may only be available on the way back.
     */
    takes(strength: number, at: number): boolean {
      const isStraight = strength < straightShare && missing.delete('straight')
      if (isStraight) straightAt = at
      return isStraight || (isComparable(action, strength) && missing.delete('turned'))
    },
    /**
     * Another straight picture if the person is still reading. [Note: More than one moment] The liveness score combines all straight pictures, and
     * one bad moment should not decide it. Left out if the session's frames are running out.
     */
    takesAgain(strength: number, at: number): boolean {
      if (isAgainTaken || strength >= straightShare) return false
      isAgainTaken = at - straightAt >= thresholds.readingMilliseconds
      return isAgainTaken
    },
    /** True if nothing is missing: the step's pictures can be sent even while the head is still turned. */
    areAllTaken: () => missing.size === 0,
  }
}
