import type { Rest } from '#models/rules/challenge/rest.ts'
import { isBack, strengthsOf, strongestOfHead } from '#models/rules/challenge/strength.ts'
import type { Analysis } from '#workers/api.ts'
import { thresholds } from './thresholds.ts'

const { straightShare, straightMilliseconds, nearlyMilliseconds, readMilliseconds } = thresholds.comingBack

/** The way back from an action, as it was seen so far. Times are milliseconds of the stream. */
export interface ComingBack {
  readonly startedAt: number | null
  /** Whether the head has been straight again at all: from then on, what it does is no way back any more. */
  readonly wasBack: boolean
  readonly straightSince: number | null
  /** Since when it has been next to straight, as the rules of an action take it. */
  readonly nearlySince: number | null
  /** Analyses in a row of a movement that nobody asked for. */
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
 * The next memory of the way back; it may take `longest`.
 *
 * [Note: Straight before the next] People read "Done" half a second after it stands there, and come back as slowly. A step
 * is handed in when they look straight ahead again, so that the next one begins, here and by the server's clock, for
 * somebody who reads it. A head that is swung back passes what the rules call straight while it still moves: it is straight when it is nearer, or
 * when it stays. A head that has come back and then moves on by itself is a recording's: the server sees it.
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
