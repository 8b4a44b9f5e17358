import type { Accounts } from '#server/features/accounts/accounts.ts'
import { createEnvironmentOf } from '#server/features/callers/callers.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { Region } from '#shared/hosts.ts'
import { createTokenService, type TokenService } from './handlers.ts'
import { createSignedTokens, type Tokens } from './signed-tokens.ts'
import { createTokenKeys, type TokenKeys } from './token-keys.ts'

export type { TokenService } from './handlers.ts'
export type { KioskClaims, Tokens } from './signed-tokens.ts'
export { createTokenKeys, type KeyKind, reloadAfterInMilliseconds, type TokenKeys } from './token-keys.ts'

/** Bearer tokens, session and kiosk tokens, and the keys that sign them. */
export interface TokenFeature {
  readonly tokenKeys: TokenKeys
  readonly tokens: Tokens
  readonly tokenService: TokenService
}

interface Dependencies {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly accounts: Pick<Accounts, 'find'>
  readonly region: Region
  /** The security role's public origin, which tokens name as their issuer. */
  readonly issuer: () => string
  readonly now: Clock
}

export function createTokens({ store, keyRing, accounts, region, issuer, now }: Dependencies): TokenFeature {
  const tokenKeys = createTokenKeys(store, keyRing, now)
  const environmentOf = createEnvironmentOf(accounts)
  const tokens = createSignedTokens({ keys: tokenKeys, region, issuer, environmentOf, now })
  return { tokenKeys, tokens, tokenService: createTokenService(tokens, accounts, now) }
}
