import { randomBytes } from 'node:crypto'
import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import {
  type Account,
  type AccountCaller,
  answerFor,
  environmentOf,
  type HandlersOf,
} from '#server/features/callers/callers.ts'
import type { Clock } from '#server/platform/store/store.ts'
import {
  queryStringMaximum,
  type SecuritySettings,
  type SignatureState,
  signatureLifetime,
  signedQueryStringMaximum,
} from '#shared/contract/configuration/signature.ts'
import { isWellFormed } from '#shared/identity/identity-text.ts'
import { Problem } from '#shared/problem.ts'
import { canonicalQuery, QueryFault } from './canonical-query.ts'
import { linkConsequences } from './link-consequences.ts'
import { hasUnfitIdentity, unfitIdentity } from './link-inputs.ts'
import { refuseTestNames } from './link-outcome.ts'
import type { Nonces } from './nonces.ts'
import {
  append,
  decodedNames,
  isSignedBy,
  readSignedQuery,
  type SignedQuery,
  sign,
} from './query-signature.ts'
import { resultOnlyNames, securityNames } from './reserved-names.ts'

export interface Signatures extends HandlersOf<'configuration', 'createSignature' | 'validateSignature'> {
  /** A link's state, checked only with link keys. Its parts are returned if the signature is valid. */
  judgeLink(account: Account, query: string): Promise<{ state: SignatureState; parts?: SignedQuery }>
  signResult(account: Account, query: string): string
}

interface Dependencies {
  accounts: Accounts
  nonces: Nonces
  now: Clock
}

type Purpose = 'link' | 'result'

/** Signs and validates query strings. Rules 4 to 7 of the configuration service. */
export function createSignatures({ accounts, nonces, now }: Dependencies): Signatures {
  /** [Note: Links and results differ] Each purpose has a separate key, so neither can pose as the other. */
  const keysFor = (account: Account, purpose: Purpose) =>
    accounts.signingKeys(account, `query-signature|${purpose}`)

  const findAccount = async ({ account, accountId }: AccountCaller) =>
    account ?? existingAccount(accounts, accountId)

  /** Checks signature, expiration and nonce; the first failure decides. Read-only. */
  async function judge(account: Account, query: string, purposes: readonly Purpose[]) {
    const parts = readSignedQuery(query)
    const keys: Buffer[] = []
    for (const purpose of purposes) keys.push(...keysFor(account, purpose))
    if (parts === undefined || !isSignedBy(parts, keys)) return { state: 'Invalid' as const }
    if (parts.expiration !== undefined && parts.expiration * 1000 <= now())
      return { state: 'Expired' as const, parts }
    const used = parts.nonce !== undefined && (await nonces.isUsed(account.accountId, parts.nonce))
    return { state: used ? ('NonceAlreadyUsed' as const) : ('Valid' as const), parts }
  }

  return {
    async createSignature({ body, caller }) {
      const account = await findAccount(caller)
      const query = readQuery(body.queryString, queryStringMaximum)
      const names = decodedNames(query)
      refuseReserved(names)
      refuseUnfit(body.queryString, query, names)
      refuseTestNames(query, environmentOf(account), names)
      if (caller.via === 'operator') answerFor(caller, linkConsequences(names))
      const extras = extrasOf(body.securitySettings, now)
      const message = withExtras(query, extras)
      const { signature, signedQuery } = sign(message, keysFor(account, 'link')[0]!)
      return { signature, signedQueryString: signedQuery, ...extras }
    },
    async validateSignature({ body, caller }) {
      const account = await findAccount(caller)
      const { state } = await judge(account, readQuery(body.queryString), ['link', 'result'])
      return { result: state }
    },
    judgeLink: (account, query) => judge(account, query, ['link']),
    signResult: (account, query) => sign(query, keysFor(account, 'result')[0]!).signedQuery,
  }
}

/** The canonical form of a request's query string. @throws {Problem} 400 if there is none, or it is too long */
export function readQuery(raw: string, maximum: number = signedQueryStringMaximum): string {
  try {
    const query = raw.length > maximum ? raw : canonicalQuery(raw)
    if (query.length > maximum)
      throw new QueryFault(`Must have at most ${maximum} characters after percent-encoding.`)
    return query
  } catch (error) {
    if (error instanceof QueryFault) throw faultOfQuery(error.message)
    throw error
  }
}

function faultOfQuery(message: string): Problem {
  return new Problem('invalid_request', 'The query string is invalid.', {
    errors: [{ pointer: '#/queryString', message }],
  })
}

const refused: ReadonlySet<string> = new Set([...securityNames, ...resultOnlyNames])

/** [Note: Refused where it is signed] The integrator sees the error when signing the link, instead of the person who opens it. */
function refuseUnfit(raw: string, query: string, names: readonly string[]): void {
  const mayName = names.includes('reExternalId') || names.includes('reCorrelationId')
  // A lone surrogate becomes another character in the canonical form, as browsers write it.
  const isUnfit = !isWellFormed(raw) || hasUnfitIdentity(new URLSearchParams(query))
  if (mayName && isUnfit) throw faultOfQuery(unfitIdentity)
}

function refuseReserved(names: readonly string[]): void {
  if (names.some((name) => refused.has(name))) {
    throw faultOfQuery('Must not contain a parameter that only the service adds.')
  }
}

function extrasOf(
  settings: SecuritySettings | null | undefined,
  now: Clock,
): { expiration?: number; nonce?: string } {
  if (settings?.expirationEnabled === false) return {}
  const seconds = settings?.expirationInSeconds ?? signatureLifetime.default
  const expiration = Math.floor(now() / 1000) + seconds
  return settings?.enableNonce === true
    ? { expiration, nonce: randomBytes(16).toString('hex') }
    : { expiration }
}

function withExtras(query: string, extras: { expiration?: number; nonce?: string }): string {
  const expiring =
    extras.expiration === undefined ? query : append(query, 'reExpiration', String(extras.expiration))
  return extras.nonce === undefined ? expiring : append(expiring, 'reNonce', extras.nonce)
}
