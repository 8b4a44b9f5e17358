import * as client from 'openid-client'
import type { Identity } from '#server/features/operators/operator-records.ts'
import { isIssuedAhead } from '#server/platform/crypto/issued-at.ts'
import { userAgent } from '#server/platform/running/product-version.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { foldedAddress } from '#shared/identity/email-address.ts'
import { Problem } from '#shared/problem.ts'
import type { OpenidSettings } from './openid-settings.ts'

const answerSeconds = 5
const scope = 'openid email profile'

/** A person whom the provider authenticated. */
export interface ProviderPerson {
  readonly identity: Identity
  readonly name: string | null
  /** An address that the provider has verified, in the form returned by `foldedAddress`. */
  readonly email: string | null
  /** Seconds since 1970; null if the provider does not report it. */
  readonly authenticatedAt: number | null
}

/** State to keep until the person returns. */
export interface VisitState {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

interface VisitRequest {
  /** The address to which the provider sends people back. */
  readonly returnTo: string
  /** True if a person who is signed in there must authenticate again. */
  readonly isFresh: boolean
}

/** An OpenID Connect provider: code flow with PKCE, state and nonce. */
export interface Provider {
  readonly name: string
  /** The address to send the person to. @throws {Problem} 502 if the provider does not answer */
  begin(asked: VisitRequest): Promise<{ readonly url: string; readonly held: VisitState }>
  /** The authenticated person. @throws {Problem} 400 for an answer to something else, 502 if the provider refused or does not answer */
  identify(returned: URL, held: VisitState): Promise<ProviderPerson>
}

/** [Note: A provider never holds up a start] It is first contacted when a person signs in through it. */
export function createProvider(settings: OpenidSettings, now: Clock): Provider {
  let known: Promise<client.Configuration> | undefined
  const find = () => {
    known ??= discover(settings).catch((error) => {
      known = undefined
      throw asProblem(settings, error)
    })
    return known
  }
  return {
    name: settings.name,
    async begin({ returnTo, isFresh }) {
      const configuration = await find()
      const held = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: returnTo,
        scope,
        state: held.state,
        nonce: held.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(held.verifier),
        code_challenge_method: 'S256',
        ...(isFresh && { prompt: 'login', max_age: '0' }),
      })
      return { url: url.href, held }
    },
    async identify(returned, { state, nonce, verifier }) {
      const configuration = await find()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      const tokens = await client
        .authorizationCodeGrant(configuration, returned, { ...checks, idTokenExpected: true })
        .catch((error) => {
          throw asProblem(settings, error)
        })
      const claims = tokens.claims()!
      if (isIssuedAhead(claims.iat, now())) throw noAnswer(settings)
      return identifiedBy(claims)
    },
  }
}

/** [Note: Signatures are looked at] ID token signatures are verified even if the tokens come directly from the provider. */
function discover({ issuer, clientId, clientSecret }: OpenidSettings): Promise<client.Configuration> {
  const isPlain = issuer.startsWith('http:')
  const authentication = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret)
  return client.discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: answerSeconds,
    [client.customFetch]: fetchAsProduct,
    execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
  })
}

/** Replaces the library's own User-Agent. */
function fetchAsProduct(address: string, options: client.CustomFetchOptions): Promise<Response> {
  const headers = new Headers(options.headers)
  headers.set('User-Agent', userAgent)
  return fetch(address, { ...(options as RequestInit), headers })
}

function identifiedBy(claims: client.IDToken): ProviderPerson {
  const { iss: issuer, sub: subject, auth_time: authenticatedAt } = claims
  const { name, email, email_verified: isVerified } = claims
  return {
    identity: { issuer, subject },
    name: typeof name === 'string' && name.trim() !== '' ? name.trim() : null,
    email: isVerified === true && typeof email === 'string' ? foldedAddress(email) : null,
    authenticatedAt: typeof authenticatedAt === 'number' ? authenticatedAt : null,
  }
}

/** OAuth error codes consist of letters and underscores, without personal data. */
const errorName = /^[a-z_]{1,60}$/

function asProblem({ name }: Pick<OpenidSettings, 'name'>, error: unknown): Problem {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const why = errorName.test(error.error) ? error.error : 'no reason given'
    return new Problem('provider_failed', `${name} refused: ${why}.`)
  }
  const code = (error as { code?: unknown } | null)?.code
  if (code === 'OAUTH_INVALID_RESPONSE' || code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED')
    return noAnswer({ name })
  return new Problem('provider_failed', `${name} did not answer as expected.`)
}

function noAnswer({ name }: Pick<OpenidSettings, 'name'>): Problem {
  return Problem.at('#/returned', `Is not an answer of ${name} to this request.`)
}
