import { readFileSync } from 'node:fs'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Host } from '../../../support/host.ts'
import { openBrowser } from '../../../support/openid/browser.ts'
import {
  actVisit,
  configure,
  type NewClient,
  newClient,
  newRequest,
  redirectUri,
  signIn,
  startProvider,
} from '../../../support/openid/site.ts'

let host: Host
let made: NewClient
beforeAll(async () => {
  host = await startProvider()
  made = await newClient(host)
})
afterAll(() => host.close())

const person = { person: 'a', age: 34 }

/** Sends a request, makes the visit if there is one, and returns the answer that the site receives. */
async function answered(parameters: Record<string, string>, without: readonly string[] = []) {
  const config = await configure(made)
  const { asked, checks } = await newRequest(parameters)
  const url = client.buildAuthorizationUrl(config, asked)
  for (const name of without) url.searchParams.delete(name)
  const { address } = await signIn(host, url.href, person)
  return { config, checks, answer: new URL(address) }
}

/** The same as `answered`, and also redeems the code. */
async function signedIn(parameters: Record<string, string> = {}) {
  const { config, checks, answer } = await answered(parameters)
  const expectedNonce = parameters.nonce === '' ? {} : { expectedNonce: checks.expectedNonce }
  const { pkceCodeVerifier, expectedState } = checks
  const tokens = await client.authorizationCodeGrant(config, answer, {
    pkceCodeVerifier,
    expectedState,
    ...expectedNonce,
  })
  return { config, tokens, claims: tokens.claims()! }
}

const errorIn = (answer: URL) => answer.searchParams.get('error')
const userinfo = (init: RequestInit) => host.fetch('/openid/userinfo', init)
const redeem = (form: Record<string, string>) =>
  host.fetch('/openid/token', { method: 'POST', body: new URLSearchParams(form) })

/** A code, and a function that redeems it once, with a secret in the body. */
async function newCode() {
  const { checks, answer } = await answered({})
  return {
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code')!,
    redirect_uri: redirectUri,
    code_verifier: checks.pkceCodeVerifier,
    client_id: made.clientId,
    client_secret: made.clientSecret!,
  }
}

/** The modules in the plan for Basic providers, by name. Each request uses PKCE, which this provider requires. */
const modules: Readonly<Record<string, () => Promise<unknown>>> = {
  'oidcc-server': async () => {
    const { claims } = await signedIn()
    expect(claims).toMatchObject({ iss: made.issuer, aud: made.clientId })
    expect(claims.exp).toBeGreaterThan(claims.iat)
  },
  'oidcc-response-type-missing': async () => {
    const { answer } = await answered({}, ['response_type'])
    expect(errorIn(answer)).toBe('invalid_request')
  },
  'oidcc-userinfo-get': async () => {
    const { tokens, claims } = await signedIn()
    const told = await userinfo({ headers: { Authorization: `Bearer ${tokens.access_token}` } })
    expect(await told.json()).toMatchObject({ sub: claims.sub })
  },
  'oidcc-userinfo-post-header': async () => {
    const { tokens, claims } = await signedIn()
    const headers = { Authorization: `Bearer ${tokens.access_token}` }
    expect(await (await userinfo({ method: 'POST', headers })).json()).toMatchObject({ sub: claims.sub })
  },
  'oidcc-userinfo-post-body': async () => {
    const { tokens, claims } = await signedIn()
    const body = new URLSearchParams({ access_token: tokens.access_token })
    expect(await (await userinfo({ method: 'POST', body })).json()).toMatchObject({ sub: claims.sub })
  },
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async () => {
    const { config, checks, answer } = await answered({}, ['nonce'])
    const { pkceCodeVerifier, expectedState } = checks
    const tokens = await client.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedState })
    expect(tokens.claims()).not.toHaveProperty('nonce')
  },
  // Unknown scopes are ignored, as the specification requires: they lead to neither claims nor errors.
  'oidcc-scope-profile': () => unknownScope('profile'),
  'oidcc-scope-email': () => unknownScope('email'),
  'oidcc-scope-address': () => unknownScope('address'),
  'oidcc-scope-phone': () => unknownScope('phone'),
  'oidcc-scope-all': () => unknownScope('profile email address phone'),
  'oidcc-ensure-other-scope-order-succeeds': async () => {
    expect((await signedIn({ scope: 'face openid' })).claims).toMatchObject({ verified: true })
  },
  'oidcc-display-page': async () => expect((await signedIn({ display: 'page' })).claims.sub).toBeTruthy(),
  'oidcc-display-popup': async () => expect((await signedIn({ display: 'popup' })).claims.sub).toBeTruthy(),
  'oidcc-prompt-login': async () => {
    const first = await signedIn()
    host.pass(2000)
    const { claims } = await signedIn({ prompt: 'login' })
    expect(Number(claims.auth_time)).toBeGreaterThan(Number(first.claims.auth_time))
  },
  'oidcc-prompt-none-not-logged-in': async () => {
    expect(errorIn((await answered({ prompt: 'none' })).answer)).toBe('login_required')
  },
  'oidcc-max-age-1': async () => {
    const first = await signedIn()
    host.pass(2000)
    const { claims } = await signedIn({ max_age: '1' })
    expect(Number(claims.auth_time)).toBeGreaterThan(Number(first.claims.auth_time))
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': async () => {
    expect((await signedIn({ extra: 'foobar' })).claims.sub).toBeTruthy()
  },
  'oidcc-login-hint': async () => expect((await signedIn({ login_hint: 'bob' })).claims.sub).toBeTruthy(),
  'oidcc-ui-locales': async () => expect((await signedIn({ ui_locales: 'se de' })).claims.sub).toBeTruthy(),
  'oidcc-claims-locales': async () =>
    expect((await signedIn({ claims_locales: 'se' })).claims.sub).toBeTruthy(),
  'oidcc-ensure-request-with-acr-values-succeeds': async () => {
    expect((await signedIn({ acr_values: '1 2' })).claims.acr).toBe('urn:selfsame:assurance:low')
  },
  'oidcc-codereuse': async () => {
    const form = await newCode()
    expect((await redeem(form)).status).toBe(200)
    expect(await (await redeem(form)).json()).toMatchObject({ error: 'invalid_grant' })
  },
  'oidcc-codereuse-30seconds': async () => {
    const form = await newCode()
    const { access_token } = (await (await redeem(form)).json()) as { access_token: string }
    host.pass(30_000)
    expect(await (await redeem(form)).json()).toMatchObject({ error: 'invalid_grant' })
    const headers = { Authorization: `Bearer ${access_token}` }
    expect((await userinfo({ headers })).status).toBe(401)
  },
  'oidcc-ensure-registered-redirect-uri': async () => {
    const { answer } = await answered({ redirect_uri: `${redirectUri}/other` })
    expect(answer.origin).toBe(host.origin)
  },
  'oidcc-ensure-post-request-succeeds': async () => {
    const { asked } = await newRequest()
    const browser = openBrowser()
    const body = new URLSearchParams({ ...asked, client_id: made.clientId, response_type: 'code' })
    const posted = await browser.fetch(`${host.origin}/openid/auth`, { method: 'POST', body })
    const page = await browser.follow(new URL(posted.headers.get('Location')!, host.origin).href, host.origin)
    const back = await browser.follow(await actVisit(host, page.address, person), host.origin)
    expect(new URL(back.address).searchParams.get('code')).toBeTruthy()
  },
  'oidcc-server-client-secret-post': async () => expect((await redeem(await newCode())).status).toBe(200),
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const request = `${part({ alg: 'none' })}.${part({ scope: 'openid' })}.`
    expect(errorIn((await answered({ request })).answer)).toBe('request_not_supported')
  },
  'oidcc-claims-essential': async () => {
    const asked = JSON.stringify({ userinfo: { name: { essential: true } } })
    expect((await signedIn({ claims: asked })).claims.sub).toBeTruthy()
  },
  'oidcc-ensure-request-object-with-redirect-uri': async () => {
    expect(errorIn((await answered({ request: 'a.b.c' })).answer)).toBe('request_not_supported')
  },
  'oidcc-refresh-token': async () => {
    const { tokens, config } = await signedIn({ scope: 'openid offline_access', prompt: 'consent' })
    expect(tokens.refresh_token).toBeUndefined()
    expect(config.serverMetadata().grant_types_supported).not.toContain('refresh_token')
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': async () => {
    expect((await redeem(await newCode())).status).toBe(200)
    const wrong = { ...(await newCode()), code_verifier: 'x'.repeat(43) }
    expect(await (await redeem(wrong)).json()).toMatchObject({ error: 'invalid_grant' })
  },
}

async function unknownScope(scope: string): Promise<void> {
  const { claims } = await signedIn({ scope: `openid ${scope}` })
  expect(claims.sub).toBeTruthy()
  for (const claim of ['name', 'email', 'address', 'phone_number']) expect(claims).not.toHaveProperty(claim)
}

describe('a requirement of the certification plan for Basic providers', () => {
  test.each(Object.entries(modules))('%s', async (_name, run) => {
    await run()
  })

  test('is named in the table of docs/openid.md, with nothing else but what is not met by design', () => {
    const page = readFileSync('docs/openid.md', 'utf8')
    const named = new Set(page.match(/\boidcc-[a-z0-9-]+/g))
    const unmet = ['oidcc-prompt-none-logged-in', 'oidcc-max-age-10000', 'oidcc-id-token-hint']
    expect([...named].sort()).toEqual([...Object.keys(modules), ...unmet].sort())
  })

  test('that is not met by design is answered with login_required, whoever visited before', async () => {
    const { tokens } = await signedIn()
    for (const further of [{}, { max_age: '10000' }, { id_token_hint: tokens.id_token! }]) {
      const { answer } = await answered({ prompt: 'none', ...further })
      expect(errorIn(answer)).toBe('login_required')
    }
  })
})
