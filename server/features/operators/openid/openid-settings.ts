import * as v from 'valibot'
import { isLoopbackAddress } from '#shared/web-address.ts'

/** The operator's own OpenID Connect provider. */
export interface OpenidSettings {
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client, which only PKCE protects. */
  readonly clientSecret: string | undefined
  /** The name shown to people. */
  readonly name: string
}

/** The provider's settings in the environment. */
export const openidEntries = {
  /** The provider's address. Its discovery document is below it, at `/.well-known/openid-configuration`. */
  OPENID_ISSUER: v.optional(
    v.pipe(
      v.string(),
      v.check(
        isIssuer,
        'Must be an address such as https://login.example, without a query; http on this machine alone.',
      ),
    ),
  ),
  OPENID_CLIENT_ID: v.optional(v.pipe(v.string(), v.minLength(1, 'Must not be empty.'))),
  OPENID_CLIENT_SECRET: v.optional(v.pipe(v.string(), v.minLength(1, 'Must not be empty.'))),
  /** The label on its button; defaults to the issuer's host. */
  OPENID_NAME: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, 'Must not be empty.'),
      v.maxLength(40, 'Must have at most 40 characters.'),
    ),
  ),
} as const

const read = v.object(openidEntries)

/** Undefined if none is configured. @throws {Error} if it is only partly configured */
export function openidOf(env: v.InferOutput<typeof read>): OpenidSettings | undefined {
  const { OPENID_ISSUER: issuer, OPENID_CLIENT_ID: clientId, OPENID_CLIENT_SECRET: clientSecret } = env
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  if (issuer === undefined) throw new Error('OPENID_CLIENT_ID and OPENID_CLIENT_SECRET need OPENID_ISSUER.')
  if (clientId === undefined) throw new Error('OPENID_ISSUER needs OPENID_CLIENT_ID.')
  return { issuer, clientId, clientSecret, name: env.OPENID_NAME ?? new URL(issuer).host }
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin, search, hash, username } = new URL(text)
  const isOpen = protocol === 'https:' || (protocol === 'http:' && isLoopbackAddress(origin))
  return isOpen && search === '' && hash === '' && username === ''
}
