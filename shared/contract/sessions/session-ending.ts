import type { FailedReason } from './session.ts'

/** A visit's milestones, in order. */
export const milestones = ['consented', 'firstPicture', 'submitted'] as const

/** How a session ends: with a verdict based on pictures, or without one. */
export const sessionOutcomes = ['passed', 'failed', 'left'] as const
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
 * How a session ended, or null while it is open. [Note: Whoever leaves has not failed] Closing the page, declining consent, having no camera or
 * choosing an alternative does not say anything about a face.
 */
export function outcomeOf({ state, result, reasons }: Ending): SessionOutcomeName | null {
  if (result === null) return null
  if (state === 'Expired' || leavingReasons.some((reason) => reasons?.includes(reason))) return 'left'
  return result === 'Pass' ? 'passed' : 'failed'
}
