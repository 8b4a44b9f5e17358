import type { FailedReason } from './session.ts'

/** Milestones of a visit, in order. */
export const milestones = ['consented', 'firstPicture', 'submitted'] as const

/** How a session ends: with a verdict on pictures, or without one. */
export const sessionOutcomes = ['passed', 'failed', 'left'] as const
export type SessionOutcomeName = (typeof sessionOutcomes)[number]

/** Reasons of sessions that end without a verdict on pictures. */
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
 * How a session ended; null while it is open. [Note: Whoever leaves has not failed] A closed page, a declined consent, a
 * missing camera and the choice of an alternative do not say anything about a face.
 */
export function outcomeOf({ state, result, reasons }: Ending): SessionOutcomeName | null {
  if (result === null) return null
  if (state === 'Expired' || leavingReasons.some((reason) => reasons?.includes(reason))) return 'left'
  return result === 'Pass' ? 'passed' : 'failed'
}
