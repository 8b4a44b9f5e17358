import { firstProgress } from '#models/rules/challenge/progress.ts'
import { standingAfter } from '#models/rules/liveness/second-try.ts'
import { digestsOf } from '#models/rules/liveness/take.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { EarlierTry, SessionRecord } from '#server/features/sessions/record.ts'
import { hintsOf } from '#server/features/sessions/results/hints.ts'
import type { Recognition } from '#server/features/sessions/results/recognition.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import type { Judged } from './decide-outcome.ts'

/** Choices of the person, and failures that another try cannot change: the session ends. */
const finalReasons: ReadonlySet<FailedReason> = new Set([
  'consentDeclined',
  'cameraUnavailable',
  'alternativeChosen',
  'sessionExpired',
])

/** Number of tries that follow the one with this number, as reported in its answer. */
export function attemptsLeftAfter({ settings }: Pick<SessionRecord, 'settings'>, tries: number): number {
  return (settings.attempts ?? 0) - tries + 1
}

/**
 * True if a judged session gets another try. [Note: A further try is no oracle] The cause of the failure does not matter
 * here: people who can succeed and people who never will get the same answer, after the same time.
 */
export function mayTryAgain(
  { record, verdict, acceptsRetry = false }: Judged,
  { reason }: Recognition,
  now: number,
): boolean {
  const isFail = verdict.reasons.length > 0 || reason !== null
  const isFinal = verdict.reasons.some((one) => finalReasons.has(one))
  const isOpen = attemptsLeftAfter(record, record.tries) > 0 && now < record.expiresAt
  return acceptsRetry && isFail && !isFinal && isOpen
}

/** The session before its next try: keeps only the findings, and the digests by which repeated pictures are recognised. */
export function begunAgain(
  { record, verdict, brought }: Judged,
  recognition: Recognition,
  now: number,
): SessionRecord {
  const shown = [...record.observations, ...(brought?.seen ?? [])]
  // A picture of low quality is judged again; the recognition of a good one remains.
  const isFound = recognition.reason !== null && recognition.reason !== 'lowQuality'
  return {
    ...record,
    state: 'Started',
    judging: null,
    progress: firstProgress(now, record.expiresAt),
    earlierTries: [...(record.earlierTries ?? []), asEarlier(record, now)],
    frameCount: 0,
    observations: [],
    trail: [],
    before: {
      standing: standingAfter(verdict, record.before?.standing),
      verdict: { ...verdict, portrait: null, formerPortrait: undefined },
      recognition: record.before?.recognition ?? (isFound ? recognition : null),
      begun: now,
      pictures: picturesOf(shown, record.before?.pictures),
      injectionHints: hintsOf(record),
    },
  }
}

/** The digests of all pictures so far. */
function picturesOf(shown: readonly Observation[], before: readonly string[] = []): readonly string[] {
  return [...new Set([...before, ...digestsOf(shown)])]
}

/** The actions of the try that ends, without the answers to the page. */
function asEarlier({ progress }: SessionRecord, now: number): EarlierTry {
  const steps = progress.answered.map(({ step, action, revealedAt, answeredAt, accepted, reason }) => ({
    step,
    action,
    revealedAt,
    answeredAt,
    accepted,
    reason,
  }))
  return { steps, followedAt: now }
}
