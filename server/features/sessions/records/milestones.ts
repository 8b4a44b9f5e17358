import type { FailedReason } from '#shared/contract/sessions/session.ts'
import {
  isVerdict,
  milestones,
  outcomeOf,
  type SessionOutcomeName,
} from '#shared/contract/sessions/session-ending.ts'
import type { Milestone, SessionRecord, SessionState } from './session-record.ts'

export interface SessionVerdict {
  readonly state: SessionState
  readonly result: 'Pass' | 'Fail' | null
  readonly reasons: readonly FailedReason[] | null
  /** Absent from data of releases that did not distinguish expired sessions from abandoned ones. */
  readonly outcome?: SessionOutcomeName
}

export function verdictOf(record: SessionRecord): Required<SessionVerdict> {
  const { state, outcome } = record
  const { verificationResult, verificationFailedReasons } = outcome?.result ?? {}
  const ending = { state, result: verificationResult ?? null, reasons: verificationFailedReasons ?? null }
  return { ...ending, outcome: outcomeOf(ending, record.reached.includes('firstPicture')) }
}

/** The stored outcome. Older data has none, and counts every session that ended without a verdict as left. */
export function knownOutcome(judged: SessionVerdict): SessionOutcomeName {
  return judged.outcome ?? earlierOutcome(judged)
}

export function earlierOutcome(judged: SessionVerdict): SessionOutcomeName {
  return outcomeOf(judged, false)
}

/**
 * The milestones that a visit has passed; each implies the earlier ones. A session completed without a picture was not
 * submitted.
 */
export function milestonesOf(record: SessionRecord): Milestone[] {
  const { reached } = record
  if (isVerdict(verdictOf(record).outcome)) return [...milestones]
  const isSeen = reached.includes('firstPicture')
  return [
    ...(isSeen || reached.includes('consented') ? ['consented' as const] : []),
    ...(isSeen ? ['firstPicture' as const] : []),
    ...(isSeen && reached.includes('submitted') ? ['submitted' as const] : []),
  ]
}
