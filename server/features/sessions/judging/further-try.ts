import { firstProgress } from '#models/rules/challenge/progress.ts'
import { digestsOf } from '#models/rules/liveness/take.ts'
import type { Observation } from '#models/rules/observation.ts'
import { standingAfter } from '#models/rules/second-try.ts'
import type { Judgement } from '#server/features/sessions/access/judgement.ts'
import type { Recognition } from '#server/features/sessions/records/recognition.ts'
import type { EarlierTry, SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { hintsOf } from '#server/features/sessions/results/hints.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import type { Decision } from './decision.ts'

/** Reasons that end the session: the person's own choice, or a failure that another try cannot change. */
const finalReasons: ReadonlySet<FailedReason> = new Set([
  'consentDeclined',
  'cameraUnavailable',
  'alternativeChosen',
  'sessionExpired',
])

/** How many tries remain after this one, as reported in its answer. */
export function attemptsLeftAfter({ settings }: Pick<SessionRecord, 'settings'>, tries: number): number {
  return (settings.attempts ?? 0) - tries + 1
}

/**
 * True if a judged session gets another try. [Note: A further try is no oracle] The reason for the failure is irrelevant
 * here: people who can succeed and people who never will get the same answer, after the same delay.
 */
export function mayTryAgain(
  { record, verdict, acceptsRetry = false }: Judgement,
  { reason }: Recognition,
  now: number,
): boolean {
  const isFail = verdict.reasons.length > 0 || reason !== null
  const isFinal = verdict.reasons.some((one) => finalReasons.has(one))
  const isOpen = attemptsLeftAfter(record, record.tries) > 0 && now < record.expiresAt
  return acceptsRetry && isFail && !isFinal && isOpen
}

/** The session before its next try. It keeps only the findings, and the digests that recognise repeated pictures. */
export function begunAgain(
  { judgement, seen }: Pick<Decision, 'judgement' | 'seen'>,
  recognition: Recognition,
  now: number,
): SessionRecord {
  const { record, verdict } = judgement
  const shown = [...record.observations, ...seen]
  // A low-quality picture is judged again, while a good one keeps its recognition result.
  const isFound = recognition.reason !== null && recognition.reason !== 'lowQuality'
  const denied = recognition.denied?.match ?? record.before?.denied
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
      ...(denied && { denied }),
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

/** The actions in the try that is ending, without the answers sent to the page. */
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
