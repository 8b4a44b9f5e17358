import { strayShare } from '#models/rules/challenge/action-limits.ts'
import type { Movement } from '#models/rules/challenge/movement.ts'
import type { Rest } from '#models/rules/challenge/rest.ts'
import { isBack, strengthsOf, strongestOfHead } from '#models/rules/challenge/strength.ts'
import type { Analysis } from '#workers/api.ts'
import { thresholds } from './thresholds.ts'

const { closing } = thresholds

/** The baseline for the final look: the neutral pose, and the action that the person is returning from. */
export interface Return {
  readonly neutral: Rest
  readonly previous: Movement | null
}

/** The state of the final look. Times are stream time in milliseconds. */
export interface ClosingMemory {
  readonly startedAt: number | null
  readonly straightSince: number | null
  /** True if this analysis shows a movement that was not requested. */
  readonly strayed: boolean
  readonly strayStrength: number
  readonly held: boolean
  readonly timedOut: boolean
}

export const noClosing: ClosingMemory = {
  startedAt: null,
  straightSince: null,
  strayed: false,
  strayStrength: 0,
  held: false,
  timedOut: false,
}

/**
 * Computes the next state. The final look ends with the first picture that shows the person looking straight ahead. [Note: Not on the way] A face
 * that is still turned or blurred by its movement looks less alive.
 */
export function watchClosing(
  memory: ClosingMemory,
  analysis: Analysis,
  good: boolean,
  at: number,
  from: Return,
): ClosingMemory {
  const startedAt = memory.startedAt ?? at
  const strengths = strengthsOf(analysis, from.neutral)
  const timedOut = at - startedAt >= closing.limitMilliseconds
  if (strengths === undefined) return { ...memory, startedAt, straightSince: null, strayed: false, timedOut }
  const back = isBack(strengths)
  // Continuing the last action is tolerated and only causes a delay. Moving in the opposite direction counts as a movement.
  const strayStrength = strongestOfHead(strengths, from.previous)
  const straightSince = back && good ? (memory.straightSince ?? at) : null
  const isNear = strongestOfHead(strengths) < closing.straightShare
  const isSettled = straightSince !== null && at - straightSince >= closing.settledMilliseconds
  return {
    startedAt,
    straightSince,
    strayed: strayStrength >= strayShare,
    strayStrength,
    held: straightSince !== null && (isNear || isSettled),
    timedOut,
  }
}
