import type { Accounts } from '#server/features/accounts/accounts.ts'
import { type AccountCaller, environmentOf, type HandlersOf } from '#server/features/callers/callers.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { bearerScopes, usualBearerScopes } from '#shared/contract/security/security.ts'
import { mayGrant } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { Tokens } from './signed-tokens.ts'

export type TokenService = HandlersOf<'security', 'getToken' | 'getUtcNow'>

export function createTokenService(
  tokens: Tokens,
  accounts: Pick<Accounts, 'find'>,
  now: Clock,
): TokenService {
  return {
    async getToken({ query, caller }) {
      // Tokens expire on full seconds. A later time in the response would promise validity that is then refused.
      const expiresAt = Math.floor(now() / 1000) * 1000 + query.expirationInSeconds * 1000
      const account = caller.account ?? (await accounts.find(caller.accountId))
      const scopes = narrowed(caller, query.scope ?? account?.defaultTokenScope ?? undefined)
      const { accountId, keyId } = caller
      const claims = { accountId, keyId, scopes }
      const token = await tokens.issueAccess(claims, expiresAt, account && environmentOf(account))
      return { expirationUtcTime: new Date(expiresAt).toISOString(), token }
    },
    getUtcNow: async () => ({ utcNow: new Date(now()).toISOString() }),
  }
}

/** [Note: Bearers are weaker than keys] A bearer token never carries `admin` or `tokens`, nor a scope that its key lacks. */
function narrowed(caller: AccountCaller, asked: string | undefined) {
  const wanted: readonly string[] = asked?.split(' ') ?? usualBearerScopes
  const granted = bearerScopes.filter((scope) => wanted.includes(scope) && mayGrant(caller.scopes, scope))
  if (granted.length === 0)
    throw new Problem('forbidden', `The key has none of the requested scopes: ${wanted.join(', ')}.`)
  return granted
}
