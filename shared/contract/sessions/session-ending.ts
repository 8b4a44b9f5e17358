import type { FailedReason } from './session.ts'

/** A visit's milestones, in order. */
export const milestones = ['consented', 'firstPicture', 'submitted'] as const

/** The ways in which a session ends. */
export const endOutcomes = ['passed', 'failed', 'left', 'expired'] as const

/** The outcome of a session: exactly one of these at any time. */
export const sessionOutcomes = ['open', ...endOutcomes] as const
export type SessionOutcomeName = (typeof sessionOutcomes)[number]

/** Why a session may end without a verdict based on pictures. */
export const leavingReasons: readonly FailedReason[] = [
  'consentDeclined',
  'cameraUnavailable',
  'sessionExpired',
  'alternativeChosen',
]

interface Ending {
  readonly state: string
  readonly result: 'Pass' | 'Fail' | null
  readonly reasons: readonly string[] | null
}

/**
 * A session's outcome. [Note: Whoever leaves has not failed] Closing the page, declining consent, having no camera or choosing
 * an alternative does not say anything about a face, unless pictures had already been judged.
 * @param isJudged true if a picture was judged before the session ended
 */
export function outcomeOf({ state, result, reasons }: Ending, isJudged: boolean): SessionOutcomeName {
  if (result === null) return 'open'
  if (result === 'Pass') return 'passed'
  if (state !== 'Expired' && !isLeaving(reasons)) return 'failed'
  if (!isJudged) return 'left'
  return state === 'Expired' ? 'expired' : 'failed'
}

function isLeaving(reasons: readonly string[] | null): boolean {
  return leavingReasons.some((reason) => reasons?.includes(reason))
}

/** True if the outcome is a verdict on pictures. Durations are shown for these alone. */
export function isVerdict(outcome: SessionOutcomeName): boolean {
  return outcome === 'passed' || outcome === 'failed'
}
