import { firstProgress } from '#models/rules/challenge/progress.ts'
import { standingAfter } from '#models/rules/liveness/second-try.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import { existingAccount } from '#server/features/accounts/existing-account.ts'
import type { Attempts } from '#server/features/sessions/opening/attempts.ts'
import type { EarlierTry, SessionRecord } from '#server/features/sessions/record.ts'
import type { Recognition } from '#server/features/sessions/results/recognition.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import type { Ending, EndSession } from './ending.ts'

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

interface Dependencies {
  readonly endSession: EndSession
  readonly sessions: Pick<SessionStore, 'replace'>
  readonly accounts: Pick<Accounts, 'find'>
  readonly attempts: Pick<Attempts, 'noteTry'>
  readonly now: Clock
}

/** A session that was judged, and whether whoever submitted it can offer another try. */
export type Concluding = Ending & { readonly acceptsRetry?: boolean }

/** As `EndSession`; answers the session as it goes on where it is tried again. */
export type Conclude = (
  concluding: Concluding,
  ...rest: Parameters<EndSession> extends [unknown, ...infer Rest] ? Rest : never
) => ReturnType<EndSession>

/**
 * Ends a session, or lets it begin again. [Note: A further try is no oracle] What was wrong decides nothing here: who can be helped
 * and who never will pass are answered alike, in the same time.
 */
export function createConclude(services: Dependencies): Conclude {
  const { endSession, sessions, accounts, attempts, now } = services
  return async ({ acceptsRetry, ...ending }, recognition, conditions = { writes: [], guards: [] }) => {
    const { before, record } = ending
    if (!acceptsRetry || !mayTryAgain(ending, recognition, now()))
      return endSession(ending, recognition, conditions)
    const again = begunAgain(ending, recognition, now())
    const replaced = await sessions.replace(before, again, { writes: [], guards: conditions.guards })
    if (!replaced) return undefined
    const { attemptLimit } = await existingAccount(accounts, record.accountId)
    await attempts.noteTry(record.attemptKeys, attemptLimit)
    return again
  }
}

function mayTryAgain({ record, verdict }: Ending, { reason }: Recognition, now: number): boolean {
  const isFail = verdict.reasons.length > 0 || reason !== null
  const isFinal = verdict.reasons.some((one) => finalReasons.has(one))
  return isFail && !isFinal && attemptsLeftAfter(record, record.tries) > 0 && now < record.expiresAt
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

/** The session before its next try: nothing of what was seen is left, only what was found. */
function begunAgain({ record, verdict }: Ending, recognition: Recognition, now: number): SessionRecord {
  // Too poor a picture is judged anew; what recognition said of a good one stands.
  const isReported = recognition.reason !== null && recognition.reason !== 'lowQuality'
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
      recognition: record.before?.recognition ?? (isReported ? recognition : null),
      begun: now,
    },
  }
}
