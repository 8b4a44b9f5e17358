import * as client from 'openid-client'
import type { tryOpenidClient } from '#shared/contract/openid/openid-client.ts'
import type { ResultOf } from '#shared/endpoint.ts'

/** A temporary copy of a client, with its id and secret. */
export type StandIn = ResultOf<typeof tryOpenidClient>

/** The result of a sign-in: the ID token's claims, or the error that the site would receive. */
export type SignInOutcome =
  | { readonly claims: Readonly<Record<string, unknown>> }
  | { readonly error: string; readonly detail: string | undefined }

/** A sign-in that is waiting for the person. */
export interface Walk {
  /** The address that the person must visit. */
  readonly url: string
  /** True if a returned query answers this sign-in. */
  isAnswer(returned: string): boolean
  /** Redeems the code and validates everything, as a site would. @throws if an answer cannot be trusted */
  finish(returned: string): Promise<SignInOutcome>
}

interface SignInInput {
  readonly redirectUri: string
  /** The person's external id, if the client compares faces. */
  readonly loginHint: string | undefined
}

/** Pushes a request, as a site's server would. @returns the error if it was rejected */
export async function beginWalk(
  fetch: Fetch,
  standIn: StandIn,
  wish: SignInInput,
): Promise<Walk | SignInOutcome> {
  const config = await configure(fetch, standIn)
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
  const asked = {
    redirect_uri: wish.redirectUri,
    scope: standIn.scope,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...(wish.loginHint !== undefined && { login_hint: wish.loginHint }),
  }
  return orRefusal(async () => ({
    url: (await client.buildAuthorizationUrlWithPAR(config, asked)).href,
    isAnswer: (returned) => new URLSearchParams(returned).get('state') === expectedState,
    finish: (returned) => orRefusal(() => redeem(config, new URL(returned, wish.redirectUri), checks)),
  }))
}

type Fetch = (address: string, init?: RequestInit) => Promise<Response>

/** [Note: The console's own host] The provider answers on every host with the configuration role, so all calls stay on the page's host. */
function configure(fetch: Fetch, { clientId, clientSecret, issuer }: StandIn) {
  const authentication = clientSecret === undefined ? client.None() : undefined
  return client.discovery(new URL(issuer), clientId, clientSecret, authentication, {
    // Allows http on loopback, which has no certificate. The calls never leave the host.
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    [client.customFetch]: (address, { body, headers, method }) =>
      fetch(new URL(address).pathname, {
        method,
        headers,
        ...(method !== 'GET' && { body: body as BodyInit }),
      }),
  })
}

async function redeem(
  config: client.Configuration,
  returned: URL,
  checks: client.AuthorizationCodeGrantChecks,
): Promise<SignInOutcome> {
  const tokens = await client.authorizationCodeGrant(config, returned, checks)
  const claims = tokens.claims()!
  await client.fetchUserInfo(config, tokens.access_token, claims.sub)
  return { claims }
}

/** Treats a refusal by the provider as a result rather than an error. */
async function orRefusal<T>(work: () => Promise<T>): Promise<T | SignInOutcome> {
  try {
    return await work()
  } catch (error) {
    const isRefusal =
      error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError
    if (!isRefusal) throw error
    return { error: error.error, detail: error.error_description }
  }
}
