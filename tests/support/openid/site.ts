import * as client from 'openid-client'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { createOpenidClient as Create } from '#shared/contract/openid/openid-client.ts'
import { createOpenidClient } from '#shared/contract/openid/openid-client.ts'
import type { Arguments } from '#shared/endpoint.ts'
import type { Scene } from '../drawn/fake-picture.ts'
import type { Host } from '../host.ts'
import { startHost } from '../host.ts'
import { act, newVerification, step, submit } from '../visit.ts'
import { type Browser, openBrowser } from './browser.ts'

export const redirectUri = 'http://127.0.0.1:9/callback'

/** A host that is an OpenID provider. */
export function startProvider(options: Parameters<typeof startHost>[0] = {}): Promise<Host> {
  return startHost({ ...options, ports: { isOpenidProvider: true, ...options.ports } })
}

type Body = Arguments<typeof Create>['body']

/** A client with a new verification. */
export async function newClient(
  host: Host,
  config: VerificationConfig = { verifierConfigs: { liveness: { type: 'Verification' } } },
  body: Partial<Body> = {},
) {
  const verificationId = await newVerification(host, config)
  const settings = { name: 'Shop', redirectUris: [redirectUri], verificationId, ...body }
  return { verificationId, ...(await host.call(createOpenidClient, { body: settings })) }
}

export type NewClient = Awaited<ReturnType<typeof newClient>>

/** Configures openid-client the way an integrator does. */
export function configure({ clientId, clientSecret, issuer }: Omit<NewClient, 'verificationId'>) {
  const authentication = clientSecret === undefined ? client.None() : undefined
  return client.discovery(new URL(issuer), clientId, clientSecret, authentication, {
    execute: [client.allowInsecureRequests],
  })
}

/** Makes the visit that the browser's current page belongs to. Returns the address that the page leads to. */
export async function actVisit(host: Host, page: string, scene: Scene): Promise<string> {
  const { pathname, hash } = new URL(page)
  const opened = {
    verificationSessionId: pathname.split('/').at(-1)!,
    bearer: hash.slice(1),
  } as Parameters<typeof step>[1]
  let { next } = await step(host, opened, 0, scene)
  while (next !== null) next = (await act(host, opened, next, scene)).next
  const { redirectUrl } = await submit(host, opened, scene)
  return redirectUrl!
}

/** A sign-in up to the site's answer. */
export async function signIn(host: Host, address: string, scene: Scene, browser: Browser = openBrowser()) {
  const opened = await browser.follow(address, host.origin)
  if (!opened.address.includes('/verification/session/')) return { ...opened, browser }
  const back = await actVisit(host, opened.address, scene)
  return { ...(await browser.follow(back, host.origin)), browser, page: opened.address }
}

/** The site's record of a request, kept until the answer arrives. */
export async function newRequest(parameters: Record<string, string> = {}) {
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const asked = {
    redirect_uri: redirectUri,
    scope: 'openid face',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  }
  return { asked, checks: { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce } }
}
