import { nextStepOf } from '#models/rules/challenge/progress.ts'
import { actionsPerformed } from '#models/rules/challenge/step.ts'
import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import { type AccountCaller, environmentOf, type SessionCaller } from '#server/features/callers/callers.ts'
import type { CollectionAccess } from '#server/features/recognition/recognition.ts'
import type { ReadSession } from '#server/features/sessions/access.ts'
import { handoffOf, isHeldBy, mayLearn, wayBackOf } from '#server/features/sessions/handoff/holding.ts'
import { attemptsLeftAfter } from '#server/features/sessions/judging/further-try.ts'
import { capturePlanOf } from '#server/features/sessions/opening/appearance.ts'
import { visitorIn } from '#server/features/sessions/opening/visitor.ts'
import { isUnjudged, type SessionRecord, wholeResult } from '#server/features/sessions/record.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { getSession } from '#shared/contract/sessions/session.ts'
import type { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Handler, Scope } from '#shared/endpoint.ts'
import type { Region } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'

/**
 * The session as its own page sees it. [Note: What a visit is made with] Device and browser are recorded on the page's first
 * request, because a session may be opened through the API without a browser. This is skipped if another request changes
 * the session in the meantime.
 */
export function createGetSession(
  readSession: ReadSession,
  sessions: Pick<SessionStore, 'replace'>,
  region: Region,
  now: Clock,
): Handler<typeof getSession, SessionCaller> {
  return async ({ caller }) => {
    const read = await readSession(caller)
    const { value: record } = read
    const { device } = caller
    const seen = visitorIn(caller)
    if (record.state === 'Created' && record.visitor === undefined && seen.visitor !== undefined)
      await sessions.replace(read, { ...record, ...seen })
    return {
      state: isUnjudged(record, now()) ? 'Started' : record.state,
      capturePlan: capturePlanOf(record, region),
      expirationUtcTime: new Date(record.expiresAt).toISOString(),
      ...(isHeldBy(record, device)
        ? { current: currentStep(record, now), soFar: soFarOf(record) }
        : { current: null }),
      ...triesOf(record),
      redirectUrl: wayBackOf(record, device),
      verificationResult: mayLearn(record, device)
        ? (record.outcome?.result.verificationResult ?? null)
        : null,
      handoff: handoffAsSeen(record, device),
    }
  }
}

/** The scopes that may learn whom a person matches. */
const knowingScopes: readonly Scope[] = ['people', 'configure', 'review']

/** The complete result for the integrator, regardless of resultParameterConfig. Rule 8 of the interface. */
export function createGetSessionResult(
  readSession: ReadSession,
  accounts: Pick<Accounts, 'find'>,
  sessions: Pick<SessionStore, 'read'>,
  access: Pick<CollectionAccess, 'use'>,
): Handler<typeof getSessionResult, AccountCaller> {
  return async ({ query, caller }) => {
    const { accountId } = caller
    const account = caller.account ?? (await existingAccount(accounts, accountId))
    const { value: record } = await readSession({ accountId, sessionId: query.verificationSessionId })
    if (record.outcome === null)
      throw new Problem('session_not_completed', 'The session is not yet completed.')
    const { tries, review, passkey } = record
    const passkeys = [...(passkey?.told ?? [])]
    const result = wholeResult(record.outcome.result)
    const findings = await standing(result.findings, accountId)
    const denied = await deniedFor(caller, record)
    return { ...result, ...denied, findings, passkeys, environment: environmentOf(account), tries, review }
  }

  /** [Note: Who it is stays in the collection] The external ID is looked up, so it is gone once that person is erased. */
  async function deniedFor({ scopes, accountId }: AccountCaller, { outcome }: SessionRecord) {
    const face = outcome?.denied
    if (face === undefined || !knowingScopes.some((scope) => scopes.includes(scope))) return {}
    const { collectionId, faceId } = face
    const found = await access.use(accountId, collectionId, async (collection) =>
      collection.exists ? collection.get(faceId) : undefined,
    )
    return { denied: { collectionId, faceId, externalId: found?.externalId ?? null } }
  }

  /** [Note: An erased session is named nowhere] Omits findings that name an erased session. */
  async function standing(findings: ReturnType<typeof wholeResult>['findings'], accountId: string) {
    const are = await Promise.all(
      findings.map((finding) => sessions.read(accountId, finding.verificationSessionId)),
    )
    return findings.filter((_, i) => are[i] !== undefined)
  }
}

/** Empty before the first further try. */
function triesOf(record: SessionRecord) {
  if (record.before === undefined) return {}
  return { try: record.tries + 1, retry: { attemptsLeft: attemptsLeftAfter(record, record.tries) } }
}

/** Null if the session never left its device. A device that lost the session is informed. */
function handoffAsSeen(record: SessionRecord, device: number) {
  const { taken, number } = handoffOf(record)
  const isHeldHere = isHeldBy(record, device)
  if (taken === 0) return null
  const { actionsDone } = soFarOf(record)
  return { isHeldHere, number: mayLearn(record, device) ? number : null, actionsDone }
}

/** How much of the limits is used up, so that a reloaded page can continue from there. */
function soFarOf({ progress, frameCount, trail = [] }: SessionRecord) {
  return { actionsDone: actionsPerformed(progress.answered), frames: frameCount, trail: trail.length }
}

function currentStep({ progress: { open } }: SessionRecord, now: Clock) {
  if (open === null) return null
  return open.action === null
    ? { step: open.step, action: null, timeLimitInSeconds: null }
    : nextStepOf(open, now())
}
