import type { Rest } from '#models/rules/challenge/rest.ts'
import { isBack, strengthsOf, strongestOfHead } from '#models/rules/challenge/strength.ts'
import type { Analysis } from '#workers/api.ts'
import { thresholds } from './thresholds.ts'

const { straightShare, straightMilliseconds, nearlyMilliseconds, readMilliseconds } = thresholds.comingBack

/** The state of a person's return from an action. Times are stream time in milliseconds. */
export interface ComingBack {
  readonly startedAt: number | null
  /** True once the head has been straight again. Later movements are not part of the return. */
  readonly wasBack: boolean
  readonly straightSince: number | null
  /** When the head became nearly straight, as defined by the action rules; null if it is not. */
  readonly nearlySince: number | null
  /** How many analyses in a row have shown a movement that was not requested. */
  readonly beyond: number
  readonly strayStrength: number
  readonly strayed: boolean
  readonly over: boolean
}

export const notComing: ComingBack = {
  startedAt: null,
  wasBack: false,
  straightSince: null,
  nearlySince: null,
  beyond: 0,
  strayStrength: 0,
  strayed: false,
  over: false,
}

/**
 * Computes the next state of the return, which may take up to `longest`.
 *
 * [Note: Straight before the next] People read "Done" half a second after it appears, and return just as slowly. A step
 * is submitted only when they look straight ahead again, so that the next one, and its time on the server, begins when
 * they can read it. A head that swings back passes the range that the rules call straight while it still moves, so it counts as straight only when it is closer or
 * stays there. A head that returned and then moves again by itself suggests a recording, so the server gets those pictures.
 */
export function watchComingBack(
  memory: ComingBack,
  analysis: Analysis,
  at: number,
  { neutral, longest }: { readonly neutral: Rest; readonly longest: number },
): ComingBack {
  const startedAt = memory.startedAt ?? at
  const strengths = strengthsOf(analysis, neutral)
  const timedOut = at - startedAt >= longest
  if (strengths === undefined)
    return { ...memory, startedAt, straightSince: null, nearlySince: null, beyond: 0, over: timedOut }
  const back = isBack(strengths)
  const wasBack = memory.wasBack || back
  const strayStrength = strongestOfHead(strengths)
  const straightSince = strayStrength < straightShare ? (memory.straightSince ?? at) : null
  const nearlySince = back ? (memory.nearlySince ?? at) : null
  const beyond = wasBack && strayStrength >= 1 ? memory.beyond + 1 : 0
  const strayed = beyond >= thresholds.action.analyses
  const lasts = (since: number | null, long: number) => since !== null && at - since >= long
  const settled = lasts(straightSince, straightMilliseconds) || lasts(nearlySince, nearlyMilliseconds)
  const read = at - startedAt >= readMilliseconds
  const over = strayed || timedOut || (settled && read)
  return { startedAt, wasBack, straightSince, nearlySince, beyond, strayStrength, strayed, over }
}
