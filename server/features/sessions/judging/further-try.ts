import { firstProgress } from '#models/rules/challenge/progress.ts'
import { standingAfter } from '#models/rules/liveness/second-try.ts'
import { digestsOf } from '#models/rules/liveness/take.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { EarlierTry, SessionRecord } from '#server/features/sessions/record.ts'
import { hintsOf } from '#server/features/sessions/results/hints.ts'
import type { Recognition } from '#server/features/sessions/results/recognition.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import type { Judged } from './decide-outcome.ts'

/** What a person chose, or what no try could mend: the session ends. */
const finalReasons: ReadonlySet<FailedReason> = new Set([
  'consentDeclined',
  'cameraUnavailable',
  'alternativeChosen',
  'sessionExpired',
])

/** How many tries follow the one of this number, by what its answer says. */
export function attemptsLeftAfter({ settings }: Pick<SessionRecord, 'settings'>, tries: number): number {
  return (settings.attempts ?? 0) - tries + 1
}

/**
 * Whether a session that was judged is tried again. [Note: A further try is no oracle] What was wrong decides nothing here: who can
 * be helped and who never will pass are answered alike, in the same time.
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

/** The session before its next try: of what was seen nothing is left but what pictures are known by that come again, and what was found. */
export function begunAgain(
  { record, verdict, brought }: Judged,
  recognition: Recognition,
  now: number,
): SessionRecord {
  const shown = [...record.observations, ...(brought?.seen ?? [])]
  // Too poor a picture is judged anew; what recognition said of a good one stays.
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

/** What all pictures so far are known by. */
function picturesOf(shown: readonly Observation[], before: readonly string[] = []): readonly string[] {
  return [...new Set([...before, ...digestsOf(shown)])]
}

/** What was asked in the try that ends, without what was answered to the page. */
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
