import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import { type AccountCaller, environmentOf } from '#server/features/callers/callers.ts'
import type { CollectionAccess } from '#server/features/recognition/recognition.ts'
import type { ReadSession } from '#server/features/sessions/access/session-reader.ts'
import { type SessionRecord, wholeResult } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Handler, Scope } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

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
