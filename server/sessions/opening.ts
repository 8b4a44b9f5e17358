import { randomBytes } from 'node:crypto'
import type { Account } from '#server/accounts/account.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { AnonymousCaller } from '#server/accounts/caller.ts'
import type { Nonces } from '#server/configuration/nonces.ts'
import { decodedNames, type SignedQuery } from '#server/configuration/query-signature.ts'
import { resultOnlyNames } from '#server/configuration/reserved-names.ts'
import { readQuery, type Signatures } from '#server/configuration/signatures.ts'
import type { Verifications } from '#server/configuration/verifications.ts'
import type { Tokens } from '#server/security/tokens.ts'
import type { Clock } from '#server/store/store.ts'
import type { initRedirectSession } from '#shared/contract/session.ts'
import type { VerificationConfig } from '#shared/contract/verification.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { Region } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'
import { type Attempts, attemptKeys } from './attempts.ts'
import { type LinkInputs, readLink } from './link-inputs.ts'
import { firstProgress } from './progress.ts'
import type { SessionRecord } from './record.ts'
import { capturePlanOf } from './rules.ts'
import type { SessionStore } from './session-store.ts'

const lifetimeInMilliseconds = 15 * 60 * 1000
/** [Note: Ours] The token outlives the session a little, so that a late page learns 410 rather than 401. */
const tokenGraceInMilliseconds = 5 * 60 * 1000

export type InitRedirectSession = Handler<typeof initRedirectSession, AnonymousCaller>

interface Dependencies {
  accounts: Accounts
  verifications: Verifications
  signatures: Signatures
  nonces: Nonces
  sessions: SessionStore
  attempts: Attempts
  tokens: Tokens
  region: Region
  now: Clock
}

/** Opens the session of a link: signature, expiration, nonce, in this order; rule 9 of the interface is ours to fill. */
export function createInitRedirectSession(services: Dependencies): InitRedirectSession {
  const { attempts, sessions, tokens, region, now } = services

  return async ({ body, caller }) => {
    const { account, verificationId, config } = await findVerification(services, body.verificationId)
    const query = readQuery(body.queryString)
    const signed = await judgeLink(services, account, query, config)
    const link = readLink(signed?.message ?? query, signed !== undefined, config)
    refuseMoved(link, verificationId)
    const { externalId } = link.inputs
    const keys = attemptKeys(account.accountId, {
      link: `${verificationId}?${query}`,
      externalId,
      address: caller.address,
    })
    await attempts.check(keys, account.attemptLimit)
    const record = newRecord(account, verificationId, link, keys, now)
    await save(services, record, signed)
    const { accountId, sessionId, expiresAt } = record
    return {
      verificationSessionId: sessionId,
      sessionToken: await tokens.issueSession({ accountId, sessionId }, expiresAt + tokenGraceInMilliseconds),
      expirationUtcTime: new Date(expiresAt).toISOString(),
      capturePlan: capturePlanOf(record, region),
    }
  }

  async function save(
    { nonces }: Dependencies,
    record: SessionRecord,
    signed: SignedQuery | undefined,
  ): Promise<void> {
    if (signed?.nonce === undefined) {
      await sessions.add(record, [], [])
      return
    }
    const secondsLeft = signed.expiration! - now() / 1000
    const { write, guard } = nonces.consume(record.accountId, signed.nonce, secondsLeft)
    if (!(await sessions.add(record, [write], [guard]))) throw alreadyUsed()
  }
}

async function findVerification({ accounts, verifications }: Dependencies, verificationId: string) {
  const accountId = await verifications.ownerOf(verificationId)
  const account = accountId === undefined ? undefined : await accounts.find(accountId)
  const verification = account && (await verifications.find(account.accountId, verificationId))
  if (account === undefined || verification === undefined) {
    throw new Problem('not_found', 'There is no such verification.')
  }
  return { account, verificationId, config: verification.verificationConfig }
}

/** The parts of a link whose signature holds, or undefined for a link that needs none and has none. */
async function judgeLink(
  { signatures }: Dependencies,
  account: Account,
  query: string,
  config: VerificationConfig,
): Promise<SignedQuery | undefined> {
  const names = decodedNames(query)
  if (names.some((name) => (resultOnlyNames as readonly string[]).includes(name))) throw unsigned()
  const claimsSignature = names.some((name) => name.toLowerCase() === 'resignature')
  if (!claimsSignature) {
    if (config.securityConfig?.forceSignedInput !== false) throw unsigned()
    return undefined
  }
  const { state, parts } = await signatures.judgeLink(account, query)
  if (state === 'Expired') throw new Problem('link_expired', 'This link has expired.')
  if (state === 'NonceAlreadyUsed') throw alreadyUsed()
  if (state === 'Invalid') throw unsigned()
  return parts
}

/** [Note: A link belongs to its verification] A signed link must not be moved to a laxer configuration. */
function refuseMoved(link: LinkInputs, verificationId: string): void {
  if (link.verificationId !== undefined && link.verificationId !== verificationId) throw unsigned()
}

function newRecord(
  account: Account,
  verificationId: string,
  link: LinkInputs,
  keys: readonly string[],
  now: Clock,
): SessionRecord {
  const created = now()
  const expiresAt = created + lifetimeInMilliseconds
  return {
    sessionId: randomBytes(16).toString('hex'),
    accountId: account.accountId,
    accountName: account.name,
    accentColour: account.accentColour,
    verificationId,
    state: 'Created',
    created,
    expiresAt,
    settings: link.settings,
    inputs: link.inputs,
    attemptKeys: keys,
    progress: firstProgress(created, expiresAt),
    frameCount: 0,
    sealedObservations: null,
    deviceReport: null,
    consent: null,
    outcome: null,
    pipelineVersion: null,
  }
}

function unsigned(): Problem {
  return new Problem('signature_invalid', 'The link is not signed as it must be.')
}

function alreadyUsed(): Problem {
  return new Problem('link_already_used', 'This link was already used.')
}
