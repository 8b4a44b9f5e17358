import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Host } from '../../../support/host.ts'
import { type Apache, hasApache, needsApache, planApache } from '../../../support/openid/apache.ts'
import { startAuthjsSite } from '../../../support/openid/authjs-site.ts'
import { openBrowser } from '../../../support/openid/browser.ts'
import { startExpressSite } from '../../../support/openid/express-site.ts'
import { startPassportSite } from '../../../support/openid/passport-site.ts'
import { newClient, redirectUri, signIn, startProvider } from '../../../support/openid/site.ts'

let host: Host
beforeAll(async () => {
  host = await startProvider()
})
afterAll(() => host.close())

const person = { person: 'a', age: 34 }

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }

  test.each([
    ['client_secret_basic', oauth.ClientSecretBasic],
    ['client_secret_post', oauth.ClientSecretPost],
  ])('signs in by a pushed request and %s', async (_name, authenticate) => {
    const made = await newClient(host)
    const issuer = new URL(made.issuer)
    const discovered = await oauth.discoveryRequest(issuer, insecure)
    const server = await oauth.processDiscoveryResponse(issuer, discovered)
    const client = { client_id: made.clientId }
    const secret = authenticate(made.clientSecret!)
    const [verifier, state, nonce] = [
      oauth.generateRandomCodeVerifier(),
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
    ]
    const asked = {
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid face',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }
    const pushing = await oauth.pushedAuthorizationRequest(server, client, secret, asked, insecure)
    const pushed = await oauth.processPushedAuthorizationResponse(server, client, pushing)
    const query = new URLSearchParams({ client_id: made.clientId, request_uri: pushed.request_uri })
    const { address } = await signIn(host, `${server.authorization_endpoint}?${query}`, person)
    const answer = oauth.validateAuthResponse(server, client, new URL(address), state)
    const redeeming = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      answer,
      redirectUri,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, redeeming, {
      expectedNonce: nonce,
      requireIdToken: true,
      maxAge: 60,
    })
    await oauth.validateApplicationLevelSignature(server, redeeming, insecure)
    const claims = oauth.getValidatedIdTokenClaims(tokens)!
    expect(claims).toMatchObject({ verified: true, amr: ['face'] })
    const telling = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
    const told = await oauth.processUserInfoResponse(server, client, claims.sub, telling)
    expect(told).toMatchObject({ sub: claims.sub, verified: true })
  })
})

describe('passport-openidconnect', () => {
  let site: Awaited<ReturnType<typeof startPassportSite>>
  beforeAll(async () => {
    site = await startPassportSite()
  })
  afterAll(() => site.close())

  /** The site's answer after the sign-in. */
  async function visitSite(hasPkce: boolean, scene: Parameters<typeof signIn>[2]) {
    const {
      issuer,
      clientId,
      clientSecret = '',
    } = await newClient(host, undefined, { redirectUris: [site.redirectUri] })
    site.setUp(issuer, { clientId, clientSecret, hasPkce })
    const browser = openBrowser()
    const begun = await browser.follow(site.origin, site.origin)
    const { address } = await signIn(host, begun.address, scene, browser)
    const { response } = await browser.follow(address, site.origin)
    return { status: response.status, body: (await response.json()) as unknown }
  }

  test('signs in if a site adds PKCE to it', async () => {
    expect(await visitSite(true, person)).toMatchObject({
      status: 200,
      body: { id: expect.stringMatching(/^[\w-]{43}$/) },
    })
  })

  test('receives the failure of a visit', async () => {
    expect(await visitSite(true, { ...person, live: 0 })).toMatchObject({ status: 401 })
  })

  test('has no PKCE by default, and is refused before the visit', async () => {
    const visits = host.records.length
    expect(await visitSite(false, person)).toMatchObject({ status: 500, body: { error: 'invalid_request' } })
    const routes = host.records.slice(visits).map(({ route }) => route)
    expect(routes).not.toContain('/openid/visit/:uid')
  })
})

describe('Auth.js', () => {
  let site: Awaited<ReturnType<typeof startAuthjsSite>>
  beforeAll(async () => {
    site = await startAuthjsSite()
  })
  afterAll(() => site.close())

  /** The information that the site has about the visitor. */
  async function visitSite(scene: Parameters<typeof signIn>[2]) {
    const { issuer, clientId, clientSecret } = await newClient(host, undefined, {
      redirectUris: [site.redirectUri],
    })
    site.setUp({ issuer, clientId, clientSecret: clientSecret! })
    const browser = openBrowser()
    const begun = await browser.follow(`${site.origin}/`, site.origin)
    const { address } = await signIn(host, begun.address, scene, browser)
    const { address: end } = await browser.follow(address, site.origin)
    const { response } = await browser.follow(`${site.origin}/auth/session`, site.origin)
    return { end, session: (await response.json()) as unknown }
  }

  test('signs in as its page describes, and identifies people by the subject', async () => {
    expect((await visitSite(person)).session).toMatchObject({
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: 'urn:selfsame:assurance:low' },
    })
  })

  test('identifies no one if the visit failed', async () => {
    const { end, session } = await visitSite({ ...person, live: 0 })
    expect(session).toBeNull()
    expect(end).toContain('error')
  })
})

describe('Express with express-openid-connect', () => {
  let site: Awaited<ReturnType<typeof startExpressSite>>
  beforeAll(async () => {
    site = await startExpressSite()
  })
  afterAll(() => site.close())

  /** Visits the site, signs in, and reads the site's answer. */
  async function visitSite(more: object, scene: Parameters<typeof signIn>[2]) {
    const { issuer, clientId, clientSecret } = await newClient(host, undefined, {
      redirectUris: [site.redirectUri],
    })
    const made = { issuer, clientId, clientSecret: clientSecret! }
    site.setUp(made, { response_type: 'code', ...more })
    const browser = openBrowser()
    const begun = await browser.follow(`${site.origin}/`, site.origin)
    const back = await signIn(host, begun.address, scene, browser)
    const isForm = back.address.startsWith(host.origin)
    const answer = isForm ? await browser.submit(back.response) : await browser.fetch(back.address)
    const location = answer.headers.get('Location')
    if (location === null) return { isForm, status: answer.status, body: await answer.text() }
    const { response } = await browser.follow(new URL(location, site.origin).href, site.origin)
    return { isForm, status: response.status, body: await response.text() }
  }

  test.each([
    ['as it comes', {}, false],
    ['with form_post', { response_mode: 'form_post' }, true],
    ['with query', { response_mode: 'query' }, false],
    ['with form_post and claims of the visit', { response_mode: 'form_post', scope: 'openid face' }, true],
  ])('signs in %s', async (_name, more, isForm) => {
    const signedIn = await visitSite(more, person)
    expect(signedIn).toMatchObject({ isForm, status: 200 })
    expect(JSON.parse(signedIn.body)).toMatchObject({
      sub: expect.stringMatching(/^[\w-]{43}$/),
      amr: ['face'],
    })
  })

  test('signs in no one whose visit failed', async () => {
    const refused = await visitSite({ response_mode: 'form_post' }, { ...person, live: 0 })
    expect(refused.isForm).toBe(true)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.body).toContain('authorization response from the server is an error')
  })
})

describe.skipIf(!hasApache)(`Apache with mod_auth_openidc${needsApache}`, () => {
  let apache: Apache
  afterAll(() => apache?.stop())

  test('lets verified people in, and gets the claims; a failed visit stays out', async () => {
    const planned = await planApache()
    const made = await newClient(host, undefined, { redirectUris: [planned.redirectUri] })
    apache = await planned.start([
      `OIDCProviderMetadataURL ${made.issuer}/.well-known/openid-configuration`,
      `OIDCClientID ${made.clientId}`,
      `OIDCClientSecret ${made.clientSecret}`,
      'OIDCScope "openid face"',
      'OIDCPKCEMethod S256',
      'OIDCCookieSameSite Off',
    ])
    const enter = async (scene: typeof person & { live?: number }) => {
      const browser = openBrowser()
      const begun = await browser.follow(`${planned.origin}/`, planned.origin)
      const { address } = await signIn(host, begun.address, scene, browser)
      return (await browser.follow(address, planned.origin)).response
    }
    const entered = await enter(person)
    expect(entered.status).toBe(200)
    expect(await entered.text()).toBe('for members')
    expect(entered.headers.get('X-Claim-sub')).toMatch(/^[\w-]{43}$/)
    expect(entered.headers.get('X-Claim-acr')).toBe('urn:selfsame:assurance:low')
    const refused = await enter({ ...person, live: 0 })
    const told = await refused.text()
    expect(told).toContain('Error')
    expect(told).not.toContain('for members')
  }, 30_000)
})
