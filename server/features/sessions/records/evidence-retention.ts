import type { FailedReason } from '#shared/contract/sessions/session.ts'
import type { SessionRecord } from './session-record.ts'

/** Reasons that call for a human review, because pictures say more about them than numbers. */
const reviewed: readonly FailedReason[] = [
  'ageUncertain',
  'assuranceTooLow',
  'evidenceMissing',
  'denied',
  'faceMismatch',
  'referenceMismatch',
]

/** Ending a visit in one of these ways withdraws consent. */
const withdrawn: readonly FailedReason[] = ['consentDeclined', 'alternativeChosen']

type Visit = Pick<SessionRecord, 'settings' | 'test' | 'state' | 'outcome'>

/**
 * True if a session's pictures are gathered while it is in progress. [Note: Pixels never decide a test] For the same
 * reason, a test stores none.
 */
export function isGathered({ settings, test }: Pick<Visit, 'settings' | 'test'>): boolean {
  return settings.keeps !== undefined && test === undefined
}

/**
 * True if they are kept after the session ends, under the configuration that applied when it began. Pure. An expired or
 * cancelled session was not judged, so nothing is kept, whatever the configuration says.
 */
export function isKept(visit: Visit): boolean {
  const { settings, state, outcome } = visit
  if (!isGathered(visit) || state !== 'Completed' || outcome === null) return false
  const { verificationFailedReasons: reasons, findings = [] } = outcome.result
  if (reasons.some((reason) => withdrawn.includes(reason))) return false
  return (
    settings.keeps?.pictures === 'all' || findings.length > 0 || reasons.some((one) => reviewed.includes(one))
  )
}
