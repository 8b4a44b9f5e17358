import type { Accounts } from '#server/accounts/accounts.ts'
import type { AccountCaller } from '#server/accounts/caller.ts'
import type { HandlersOf } from '#server/handlers.ts'
import type { Clock } from '#server/store/store.ts'
import { bearerScopes } from '#shared/contract/security/security.ts'
import { Problem } from '#shared/problem.ts'
import type { Tokens } from './tokens.ts'

export type TokenService = HandlersOf<'security', 'getToken' | 'getUtcNow'>

export function createTokenService(
  tokens: Tokens,
  accounts: Pick<Accounts, 'find'>,
  now: Clock,
): TokenService {
  const defaultOf = async ({ account, accountId }: AccountCaller) =>
    (account ?? (await accounts.find(accountId)))?.defaultTokenScope ?? undefined

  return {
    async getToken({ query, caller }) {
      const expiresAt = now() + query.expirationInSeconds * 1000
      const scopes = narrowed(caller, query.scope ?? (await defaultOf(caller)))
      const token = await tokens.issueAccess(
        { accountId: caller.accountId, keyId: caller.keyId, scopes },
        expiresAt,
      )
      return { expirationUtcTime: new Date(expiresAt).toISOString(), token }
    },
    getUtcNow: async () => ({ utcNow: new Date(now()).toISOString() }),
  }
}

/** [Note: Bearers are weaker than keys] A bearer never carries `admin` or `tokens`, nor what its key lacks. */
function narrowed(caller: AccountCaller, asked: string | undefined) {
  const wanted = asked?.split(' ')
  const scopes = bearerScopes.filter((scope) => caller.scopes.includes(scope))
  const granted = wanted === undefined ? scopes : scopes.filter((scope) => wanted.includes(scope))
  if (granted.length === 0) throw new Problem('forbidden', 'The key has none of the scopes asked for.')
  return granted
}
