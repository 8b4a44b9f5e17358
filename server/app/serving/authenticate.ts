import type { Context } from 'koa'
import { type Accounts, existing } from '#server/features/accounts/accounts.ts'
import type {
  AccountCaller,
  AnonymousCaller,
  Caller,
  KioskCaller,
  Origin,
  SessionCaller,
} from '#server/features/callers/callers.ts'
import type { AdmitKiosk } from '#server/features/kiosks/kiosks.ts'
import type { Sessions } from '#server/features/sessions/sessions.ts'
import type { Tokens } from '#server/features/tokens/tokens.ts'
import type { RequestState } from '#server/platform/http/requests/request-record.ts'
import { type Endpoint, mayGrant, scopesFor } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { type Credential, credentialOf, unauthenticated } from './credential.ts'

/**
 * Identifies the caller before the body is read.
 * @throws {Problem} 401 without a valid credential, 403 without the required permission, 404 if a token's session no
 * longer exists
 */
export type Authenticate = (ctx: Context, endpoint: Endpoint, acceptsKeyHeader: boolean) => Promise<Caller>

/** A caller without the request's origin. */
type CallerIdentity<C extends Caller> = Omit<C, keyof Origin>

interface Dependencies {
  readonly accounts: Accounts
  readonly tokens: Tokens
  readonly admitKiosk: AdmitKiosk
  readonly requireSession: Sessions['requireSession']
}

export function createAuthenticate(services: Dependencies): Authenticate {
  const { accounts, tokens, admitKiosk, requireSession } = services
  async function byKey(value: string): Promise<CallerIdentity<AccountCaller> | undefined> {
    const key = await accounts.keys.authenticate(value)
    if (key === undefined) return undefined
    const { accountId, keyId, scopes } = key
    const account = existing(await accounts.find(accountId))
    return { kind: 'account', accountId, keyId, scopes, via: 'key', account }
  }

  /** [Note: A bearer dies with its key] A bearer token also loses every scope that its key has lost. */
  async function byBearer(value: string): Promise<CallerIdentity<AccountCaller> | undefined> {
    const claims = await tokens.readAccess(value)
    const key = claims && (await accounts.keys.find(claims.accountId, claims.keyId))
    if (claims === undefined || key === undefined || key.revoked !== null) return undefined
    const scopes = claims.scopes.filter((scope) => mayGrant(key.scopes, scope))
    const { accountId, keyId } = key
    const account = existing(await accounts.find(accountId))
    return { kind: 'account', accountId, keyId, scopes, via: 'bearer', account, tokenId: claims.tokenId }
  }

  /** [Note: The session before the body] A token outlives a session that was erased, so the session is checked before the body is read. */
  async function bySession(
    credential: Credential | undefined,
  ): Promise<CallerIdentity<SessionCaller> | undefined> {
    const claims = await bearerOf(credential, tokens.readSession)
    if (claims === undefined) return undefined
    await requireSession(claims.accountId, claims.sessionId)
    return { kind: 'session', ...claims }
  }

  async function byKiosk(
    credential: Credential | undefined,
  ): Promise<CallerIdentity<KioskCaller> | undefined> {
    const claims = await bearerOf(credential, tokens.readKiosk)
    const kiosk = claims && (await admitKiosk(claims))
    if (claims === undefined || kiosk === undefined) return undefined
    return { kind: 'kiosk', ...claims, kiosk }
  }

  async function byAccount(credential: Credential | undefined, { auth }: Endpoint) {
    if (credential === undefined || (credential.scheme === 'bearer' && auth === 'key')) return undefined
    return (credential.scheme === 'apikey' ? byKey : byBearer)(credential.value)
  }

  return async (ctx, endpoint, acceptsKeyHeader) => {
    const { auth } = endpoint
    if (auth === 'none') return callerIn<AnonymousCaller>(ctx, { kind: 'anonymous' })
    const credential = credentialOf(ctx, acceptsKeyHeader)
    const known = <C>(who: C | undefined): C => {
      if (who === undefined) throw unauthenticated(ctx, auth, acceptsKeyHeader)
      return who
    }
    if (auth === 'session') return callerIn<SessionCaller>(ctx, known(await bySession(credential)))
    if (auth === 'kiosk') return callerIn<KioskCaller>(ctx, known(await byKiosk(credential)))
    const who = known(await byAccount(credential, endpoint))
    const needed = scopesFor(endpoint)
    if (needed.length > 0 && !needed.some((scope) => who.scopes.includes(scope)))
      throw new Problem('forbidden', `The credential lacks the scope ${needed.join(' or ')}.`)
    return callerIn<AccountCaller>(ctx, who)
  }
}

/** A bearer token's claims; undefined if there is no token, or it is not valid. */
async function bearerOf<C>(
  credential: Credential | undefined,
  read: (token: string) => Promise<C | undefined>,
): Promise<C | undefined> {
  return credential?.scheme === 'bearer' ? read(credential.value) : undefined
}

/** Adds the request's origin to a caller. */
export function callerIn<C extends Caller>(ctx: Context, who: CallerIdentity<C>): C {
  const { requestId } = ctx.state as RequestState
  const userAgent = ctx.get('User-Agent')
  const origin: Origin = {
    address: ctx.ip,
    requestId,
    signal: hangUpOf(ctx),
    ...(userAgent && { userAgent }),
  }
  return { ...origin, ...who } as C
}

/** Aborts when the client disconnects before it has the response. */
function hangUpOf({ res }: Context): AbortSignal {
  const hangUp = new AbortController()
  const leave = () => {
    if (!res.writableFinished) hangUp.abort()
  }
  if (res.destroyed) leave()
  else res.once('close', leave)
  return hangUp.signal
}
