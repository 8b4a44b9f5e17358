import {
  createTokenKeys,
  type KeyKind,
  reloadAfterInMilliseconds,
  type TokenKeys,
} from '#server/features/tokens/tokens.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { environments } from '#shared/contract/environment.ts'

/** Longer than an ID token's lifetime and longer than a site may cache a key. */
const overlapInMilliseconds = 24 * 3600 * 1000

/** By then, every process on the store publishes the key. A site that encounters an unknown key may ask any of them. */
const publishedFirstInMilliseconds = 2 * reloadAfterInMilliseconds

/** [Note: RS256] OpenID Connect requires every provider to offer it, and every client supports it. */
function kindOf(environment: Environment): KeyKind {
  const name = environment === 'live' ? 'openid-key' : 'openid-test-key'
  return { name, algorithm: 'RS256', use: 'sig', overlapInMilliseconds, publishedFirstInMilliseconds }
}

/** The keys that sign ID tokens: separate for each issuer, and from our bearer token keys. They rotate automatically every 90 days. */
export type OpenidKeys = Readonly<Record<Environment, TokenKeys>>

export function createOpenidKeys(store: Store, keyRing: KeyRing, now: Clock): OpenidKeys {
  const made = environments.map((environment) => [
    environment,
    createTokenKeys(store, keyRing, now, kindOf(environment)),
  ])
  return Object.fromEntries(made) as OpenidKeys
}

/** A private key as a JWK. */
export interface SigningJwk {
  readonly kid: string
  readonly kty?: string
  readonly alg: 'RS256'
  readonly use: 'sig'
}

/** All valid keys' IDs, starting with the signing key. */
export async function signingKids(keys: TokenKeys): Promise<readonly string[]> {
  const signer = await keys.current()
  const others = (await keys.publicKeys()).keys.flatMap(({ kid }) => (kid === signer.kid ? [] : kid!))
  return [signer.kid, ...others]
}

/** All valid keys, starting with the signing key. */
export async function signingJwks(keys: TokenKeys): Promise<readonly SigningJwk[]> {
  const found = await Promise.all((await signingKids(keys)).map((kid) => keys.find(kid)))
  return found.flatMap((key) =>
    key === undefined
      ? []
      : [{ ...key.privateKey.export({ format: 'jwk' }), kid: key.kid, alg: 'RS256', use: 'sig' }],
  )
}
