import type { FailedReason } from '#shared/contract/sessions/session.ts'
import { milestones, outcomeOf } from '#shared/contract/sessions/session-ending.ts'
import type { Milestone, SessionRecord, SessionState } from './session-record.ts'

export interface SessionVerdict {
  readonly state: SessionState
  readonly result: 'Pass' | 'Fail' | null
  readonly reasons: readonly FailedReason[] | null
}

export function verdictOf({ state, outcome }: SessionRecord): SessionVerdict {
  const { verificationResult, verificationFailedReasons } = outcome?.result ?? {}
  return { state, result: verificationResult ?? null, reasons: verificationFailedReasons ?? null }
}

/**
 * The milestones that a visit has passed; each implies the earlier ones. A session completed without a picture was not
 * submitted.
 */
export function milestonesOf(record: SessionRecord): Milestone[] {
  const { reached } = record
  if (isDecided(record)) return [...milestones]
  const isSeen = reached.includes('firstPicture')
  return [
    ...(isSeen || reached.includes('consented') ? ['consented' as const] : []),
    ...(isSeen ? ['firstPicture' as const] : []),
    ...(isSeen && reached.includes('submitted') ? ['submitted' as const] : []),
  ]
}

function isDecided(record: SessionRecord): boolean {
  const outcome = outcomeOf(verdictOf(record))
  return outcome === 'passed' || outcome === 'failed'
}
