import type { FailedReason } from './session.ts'

/** How far a visit came, each with those before it. */
export const milestones = ['consented', 'firstPicture', 'submitted'] as const

/** How sessions end: by a verdict on pictures, or without one. */
export const sessionOutcomes = ['passed', 'failed', 'left'] as const
export type SessionOutcomeName = (typeof sessionOutcomes)[number]

/** Reasons for which a session ends without a verdict on pictures. */
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
 * How a session ended; null while it is open. [Note: Whoever leaves has not failed] A page that was closed, a consent that was not given, a
 * camera that was not there and another way that was taken say nothing about a face.
 */
export function outcomeOf({ state, result, reasons }: Ending): SessionOutcomeName | null {
  if (result === null) return null
  if (state === 'Expired' || leavingReasons.some((reason) => reasons?.includes(reason))) return 'left'
  return result === 'Pass' ? 'passed' : 'failed'
}
