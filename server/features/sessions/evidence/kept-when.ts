import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'

/** What a person has to look at: the pictures tell more about it than the figures. */
const reviewed: readonly FailedReason[] = [
  'ageUncertain',
  'assuranceTooLow',
  'evidenceMissing',
  'faceMismatch',
  'referenceMismatch',
]

/** Whoever ends a visit so takes back what was agreed to. */
const withdrawn: readonly FailedReason[] = ['consentDeclined', 'alternativeChosen']

type Visit = Pick<SessionRecord, 'settings' | 'test' | 'state' | 'outcome'>

/** Whether pictures of a session are gathered while it goes on. [Note: Pixels never decide a test] None of a test are kept either. */
export function isGathered({ settings, test }: Pick<Visit, 'settings' | 'test'>): boolean {
  return settings.keeps !== undefined && test === undefined
}

/**
 * Whether they are kept once it is over, by the configuration of its beginning. Pure. What expired or was cancelled nobody judged: nothing is
 * kept of it, whatever the configuration says.
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
