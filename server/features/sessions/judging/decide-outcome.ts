import type { Verdict } from '#models/rules/verdict.ts'
import type { Brought } from '#server/features/sessions/evidence/evidence.ts'
import type { SessionRecord, StoredResult } from '#server/features/sessions/record.ts'
import { closed, outcomeOf, resultOf } from '#server/features/sessions/results/outcome.ts'
import type { Recognition } from '#server/features/sessions/results/recognition.ts'

/** A session that was judged, as it went until then. */
export interface Judged {
  readonly record: SessionRecord
  readonly verdict: Verdict
  /** The page can offer another try. */
  readonly acceptsRetry?: boolean
  /** Nothing was looked at: the last verdict is taken for good. */
  readonly isLeft?: boolean
  /** Nothing was looked at: the person ended the session. */
  readonly isEnded?: boolean
  /** What it was judged by, as it came with the last request; absent where nothing was looked at. */
  readonly brought?: Brought
  /** Given where no collection is to be asked: the session ends as it says. */
  readonly recognition?: Recognition
}

/** What a result is made with, besides what was judged. */
export interface Facts {
  /** What suspected sessions came before this one. */
  readonly suspected: NonNullable<SessionRecord['resembles']>
  /** Signs the query of the way back. */
  readonly sign: (query: string) => string
  readonly state: 'Completed' | 'Expired'
  readonly now: number
}

/** The session as it is over, with its result and the address of the way back. Pure. */
export function decideOutcome(
  { record, verdict }: Judged,
  recognition: Recognition,
  { suspected, sign, state, now }: Facts,
): SessionRecord {
  const resembles = [...(record.resembles ?? []), ...suspected]
  const result = resultOf({ ...record, resembles }, verdict, recognition)
  const outcome = outcomeOf(record, result, verdict.evidence, sign, now)
  return closed(record, outcome, { state, completedAt: now })
}

/** Failures that say nothing about the person in front of the camera do not count as attempts. */
const innocentReasons = new Set(['consentDeclined', 'cameraUnavailable', 'alternativeChosen'])

/**
 * Whether a session that is over counts as a failed one. [Note: Innocent until an action is shown] Whoever may see what is asked and end
 * the session for nothing, opens sessions until one asks what their recording shows.
 */
export function countsAsFailed({ outcome, progress, before }: EndedSession): boolean {
  const reasons = outcome?.result.verificationFailedReasons ?? []
  const hasSeenMuch = progress.drawn.length > 0 || before !== undefined
  return reasons.some((reason) => hasSeenMuch || !innocentReasons.has(reason))
}

type EndedSession = Pick<SessionRecord, 'outcome' | 'progress' | 'before'>

/** Whether somebody was judged and failed. */
export function isFailedTry({ verificationFailedReasons: reasons }: StoredResult): boolean {
  return reasons.some((reason) => !innocentReasons.has(reason) && reason !== 'sessionExpired')
}
