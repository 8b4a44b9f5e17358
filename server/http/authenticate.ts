import type { Context } from 'koa'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { AccountCaller, Caller, Origin, SessionCaller } from '#server/accounts/caller.ts'
import type { Tokens } from '#server/security/tokens.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

/** Finds out who asks, before the body is read. @throws {Problem} 401 without a valid credential, 403 without the right */
export type Authenticate = (ctx: Context, endpoint: Endpoint, acceptsKeyHeader: boolean) => Promise<Caller>

interface Credential {
  scheme: 'apikey' | 'bearer'
  value: string
}

export function createAuthenticate(accounts: Accounts, tokens: Tokens): Authenticate {
  async function byKey(value: string, origin: Origin): Promise<AccountCaller> {
    const key = await accounts.authenticate(value)
    if (key === undefined) throw unauthenticated()
    const { accountId, keyId, scopes } = key
    return { kind: 'account', accountId, keyId, scopes, via: 'key', ...origin }
  }

  /** [Note: A bearer dies with its key] and never outlives a scope that the key has lost. */
  async function byBearer(value: string, origin: Origin): Promise<AccountCaller> {
    const claims = await tokens.readAccess(value)
    const key = claims && (await accounts.findKey(claims.accountId, claims.keyId))
    if (claims === undefined || key === undefined || key.revoked !== null) throw unauthenticated()
    const scopes = claims.scopes.filter((scope) => key.scopes.includes(scope))
    const { accountId, keyId } = key
    return { kind: 'account', accountId, keyId, scopes, via: 'bearer', tokenId: claims.tokenId, ...origin }
  }

  async function bySession(credential: Credential | undefined, origin: Origin): Promise<SessionCaller> {
    const claims = credential?.scheme === 'bearer' ? await tokens.readSession(credential.value) : undefined
    if (claims === undefined) throw unauthenticated()
    return { kind: 'session', ...claims, ...origin }
  }

  async function byAccount(credential: Credential | undefined, endpoint: Endpoint, origin: Origin) {
    if (credential === undefined) throw unauthenticated()
    if (credential.scheme === 'bearer' && endpoint.auth === 'key') throw unauthenticated()
    const caller = await (credential.scheme === 'apikey' ? byKey : byBearer)(credential.value, origin)
    if ((await accounts.find(caller.accountId)) === undefined) {
      throw new Problem('forbidden', 'The account does not exist.')
    }
    if (endpoint.scope !== undefined && !caller.scopes.includes(endpoint.scope)) {
      throw new Problem('forbidden', `The credential lacks the scope ${endpoint.scope}.`)
    }
    return caller
  }

  return async (ctx, endpoint, acceptsKeyHeader) => {
    const origin = originOf(ctx)
    if (endpoint.auth === 'none') return { kind: 'anonymous', ...origin }
    const credential = credentialOf(ctx, acceptsKeyHeader)
    if (endpoint.auth === 'session') return bySession(credential, origin)
    return byAccount(credential, endpoint, origin)
  }
}

function credentialOf(ctx: Context, acceptsKeyHeader: boolean): Credential | undefined {
  const match = /^(apikey|bearer) +([^\s]{1,4096})$/i.exec(ctx.get('Authorization'))
  if (match !== null) return { scheme: match[1]!.toLowerCase() as Credential['scheme'], value: match[2]! }
  const key = acceptsKeyHeader ? ctx.get('X-API-Key') : ''
  return key === '' ? undefined : { scheme: 'apikey', value: key }
}

function originOf(ctx: Context): Origin {
  const hangUp = new AbortController()
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) hangUp.abort()
  })
  return { address: ctx.ip, signal: hangUp.signal }
}

function unauthenticated(): Problem {
  return new Problem('unauthenticated', 'A valid credential is required.')
}
