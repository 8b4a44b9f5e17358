import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteVerification } from '#shared/contract/configuration/verification.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Host } from '../../../support/host.ts'
import { openBrowser } from '../../../support/openid/browser.ts'
import {
  actVisit,
  configure,
  newClient,
  newRequest,
  redirectUri,
  signIn,
  startProvider,
} from '../../../support/openid/site.ts'

let host: Host
beforeAll(async () => {
  host = await startProvider()
})
afterAll(() => host.close())

const person = { person: 'a', age: 34 }

/** Signs a person in the way a site does. Returns the tokens. */
async function signedIn(
  made: Awaited<ReturnType<typeof newClient>>,
  parameters: Record<string, string> = {},
) {
  const config = await configure(made)
  const { asked, checks } = await newRequest(parameters)
  const { address } = await signIn(host, client.buildAuthorizationUrl(config, asked).href, person)
  const tokens = await client.authorizationCodeGrant(config, new URL(address), checks)
  return { config, tokens, claims: tokens.claims()! }
}

describe('a sign-in with openid-client', () => {
  test('ends with an ID token of the verified person', async () => {
    const made = await newClient(host)
    const { config, tokens, claims } = await signedIn(made)
    expect(claims).toMatchObject({
      iss: `${host.origin}/openid`,
      aud: made.clientId,
      amr: ['face'],
      acr: 'urn:selfsame:assurance:low',
      verified: true,
      assurance: 'low',
      environment: 'live',
      policy_version: expect.any(String),
    })
    expect(Math.abs(Number(claims.auth_time) - Date.now() / 1000)).toBeLessThan(120)
    const told = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
    expect(told).toMatchObject({ sub: claims.sub, verified: true, assurance: 'low' })
    expect(tokens.refresh_token).toBeUndefined()
    expect(host.errors).toEqual([])
  })

  test('gives a person another name at each visit, if faces are not compared', async () => {
    const made = await newClient(host)
    const [first, second] = [await signedIn(made), await signedIn(made)]
    expect(first.claims.sub).not.toBe(second.claims.sub)
  })

  test('is a session of the verification, on our page, which names the site', async () => {
    const made = await newClient(host)
    const config = await configure(made)
    const { asked } = await newRequest()
    const browser = openBrowser()
    const { address } = await browser.follow(client.buildAuthorizationUrl(config, asked).href, host.origin)
    const again = await browser.follow(client.buildAuthorizationUrl(config, asked).href, host.origin)
    expect(new URL(again.address).pathname).not.toBe(new URL(address).pathname)
    await actVisit(host, address, person)
    const verificationSessionId = new URL(address).pathname.split('/').at(-1)!
    const result = await host.call(getSessionResult, { query: { verificationSessionId } })
    expect(result.verificationResult).toBe('Pass')
  })

  test('leaves no OpenID session behind', async () => {
    const made = await newClient(host)
    const config = await configure(made)
    const { asked } = await newRequest()
    const { browser } = await signIn(host, client.buildAuthorizationUrl(config, asked).href, person)
    expect([...browser.cookies.keys()].filter((key) => !key.startsWith('openid_visit'))).toEqual([])
  })

  test('fails as access_denied, without a reason', async () => {
    const made = await newClient(host)
    const config = await configure(made)
    const { asked } = await newRequest()
    const spoof = { ...person, live: 0 }
    const { address } = await signIn(host, client.buildAuthorizationUrl(config, asked).href, spoof)
    const answer = new URL(address).searchParams
    expect(Object.fromEntries(answer)).toEqual({
      error: 'access_denied',
      state: asked.state,
      iss: `${host.origin}/openid`,
    })
  })

  test('with prompt=none is login_required', async () => {
    const made = await newClient(host)
    const config = await configure(made)
    const { asked } = await newRequest({ prompt: 'none' })
    const { address } = await signIn(host, client.buildAuthorizationUrl(config, asked).href, person)
    expect(address.startsWith(redirectUri)).toBe(true)
    expect(new URL(address).searchParams.get('error')).toBe('login_required')
  })

  test('of a client whose verification was deleted shows a page and leads nowhere', async () => {
    const made = await newClient(host)
    const config = await configure(made)
    await host.call(deleteVerification, { query: { verificationId: made.verificationId } })
    const { asked } = await newRequest()
    const address = client.buildAuthorizationUrl(config, asked).href
    const { response } = await openBrowser().follow(address, host.origin)
    expect(response.status).toBe(400)
    expect(response.headers.get('Content-Type')).toContain('text/html')
    expect(await response.text()).toContain('invalid_client')
  })
})
