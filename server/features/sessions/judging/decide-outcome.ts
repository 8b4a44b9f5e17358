import type { Judgement } from '#server/features/sessions/access/judgement.ts'
import type { Recognition } from '#server/features/sessions/records/recognition.ts'
import type { SessionRecord, StoredResult } from '#server/features/sessions/records/session-record.ts'
import { closed, outcomeOf, resultOf } from '#server/features/sessions/results/outcome.ts'

/** Facts that the result needs besides the judgement. */
export interface EndFacts {
  /** Sessions suspected before this one. */
  readonly suspected: NonNullable<SessionRecord['resembles']>
  /** Signs the return address's query. */
  readonly sign: (query: string) => string
  readonly state: 'Completed' | 'Expired'
  readonly now: number
}

/** Returns the completed session with its result and return address. Pure. */
export function decideOutcome(
  { record, verdict }: Judgement,
  recognition: Recognition,
  { suspected, sign, state, now }: EndFacts,
): SessionRecord {
  const resembles = [...(record.resembles ?? []), ...suspected]
  const result = resultOf({ ...record, resembles }, verdict, recognition)
  const outcome = outcomeOf(record, result, verdict.evidence, sign, now)
  const match = recognition.denied?.match ?? null
  return closed(record, match === null ? outcome : { ...outcome, denied: match }, { state, completedAt: now })
}

/** Failures that say nothing about the person in front of the camera, so they do not count as attempts. */
const innocentReasons = new Set(['consentDeclined', 'cameraUnavailable', 'alternativeChosen'])

/**
 * True if a completed session counts as failed. [Note: Innocent until an action is shown] If ending a session after seeing
 * the action cost nothing, an attacker would keep opening sessions until one asks for the action in the recording.
 */
export function countsAsFailed({ outcome, progress, before }: EndedSession): boolean {
  const reasons = outcome?.result.verificationFailedReasons ?? []
  const hasSeenMuch = progress.drawn.length > 0 || before !== undefined
  return reasons.some((reason) => hasSeenMuch || !innocentReasons.has(reason))
}

type EndedSession = Pick<SessionRecord, 'outcome' | 'progress' | 'before'>

/** True if the person was judged and failed. */
export function isFailedTry({ verificationFailedReasons: reasons }: StoredResult): boolean {
  return reasons.some((reason) => !innocentReasons.has(reason) && reason !== 'sessionExpired')
}
