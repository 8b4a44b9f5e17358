import type { ListedSession } from '#shared/contract/sessions/session-list.ts'

/** Reasons by which nobody was judged wrongly: there is nothing to decide about them. */
const undecidable: ReadonlySet<string> = new Set([
  'consentDeclined',
  'cameraUnavailable',
  'sessionExpired',
  'alternativeChosen',
])

/** Reasons where the measurement lies near its limit, or could not tell: the least certain. */
const uncertain: readonly string[] = [
  'ageUncertain',
  'lowQuality',
  'assuranceTooLow',
  'challengeFailed',
  'faceMismatch',
]

/** How uncertain a verdict is; the larger, the sooner somebody should look. */
export function uncertainty({
  verificationResult,
  verificationFailedReasons,
  findings,
  tries,
}: ListedSession): number {
  const reasons = verificationFailedReasons ?? []
  const ofReasons = reasons.filter((reason) => uncertain.includes(reason)).length
  const share = reasons.length === 0 ? 0 : ofReasons / reasons.length
  return (
    share +
    (verificationResult === 'Fail' ? 1 : 0) +
    ((findings?.length ?? 0) > 0 ? 1 : 0) +
    Math.min(tries, 3) / 10
  )
}

/** What waits for somebody: completed, not reviewed, and of a kind that can be decided; the least certain first. */
export function queueOf(sessions: readonly ListedSession[], withPassed: boolean): ListedSession[] {
  const waits = ({ state, review, verificationResult, verificationFailedReasons }: ListedSession) =>
    state === 'Completed' &&
    review === null &&
    (withPassed || verificationResult === 'Fail') &&
    !(verificationFailedReasons ?? []).some((reason) => undecidable.has(reason))
  return sessions
    .filter(waits)
    .sort((a, b) => uncertainty(b) - uncertainty(a) || Date.parse(b.createdAt) - Date.parse(a.createdAt))
}

/** What a key does in the queue. */
export type QueueKey = 'next' | 'previous' | 'Pass' | 'Fail' | 'note'

export const queueKeys: Readonly<Record<string, QueueKey>> = {
  j: 'next',
  k: 'previous',
  p: 'Pass',
  f: 'Fail',
  n: 'note',
}

/** Where the queue stands after one of so many has gone, or after a step; never outside of it. */
export function placeWithin(place: number, count: number): number {
  return Math.max(0, Math.min(place, count - 1))
}
