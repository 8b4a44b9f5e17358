import { decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { pageLanguages } from '#shared/contract/configuration/words-by-language.ts'
import type { Host } from '../../../../support/host.ts'
import { formOf, openBrowser } from '../../../../support/openid/browser.ts'
import {
  configure,
  type NewClient,
  newClient,
  newRequest,
  signIn,
  startProvider,
} from '../../../../support/openid/site.ts'
import { visit } from '../../../../support/visit.ts'

let host: Host
let document: Record<string, unknown>
let made: NewClient
beforeAll(async () => {
  host = await startProvider()
  document = await documentOf(host)
  made = await newClient(host)
})
afterAll(() => host.close())

async function documentOf({ fetch }: Host) {
  return (await (await fetch('/openid/.well-known/openid-configuration')).json()) as Record<string, unknown>
}

const person = { person: 'a', age: 34 }
const liveness = { type: 'Verification' as const }
const aging: VerificationConfig = { verifierConfigs: { liveness, age: { type: 'CalculationOnly' } } }
const matching: VerificationConfig = {
  verifierConfigs: { liveness, faceRecognition: { type: 'MatchVerification' } },
}

/** Signs in with a pushed request, as far as the site's answer. */
async function answered(parameters: Record<string, string>, site: NewClient = made) {
  const config = await configure(site)
  const { asked, checks } = await newRequest(parameters)
  const url = await client.buildAuthorizationUrlWithPAR(config, asked)
  return { config, checks, ...(await signIn(host, url.href, person)) }
}

async function tokensOf(parameters: Record<string, string> = {}, site: NewClient = made) {
  const { config, checks, address } = await answered(parameters, site)
  const tokens = await client.authorizationCodeGrant(config, new URL(address), checks)
  const { sub } = tokens.claims()!
  const told = await client.fetchUserInfo(config, tokens.access_token, sub)
  return { tokens, claims: { ...told, ...tokens.claims()! } as Record<string, unknown> & { sub: string } }
}

/** The error that the site receives if there is no visit. */
async function errorOf(parameters: Record<string, string>, site: NewClient = made): Promise<string | null> {
  const { asked } = await newRequest(parameters)
  const query = new URLSearchParams({
    client_id: site.clientId,
    response_type: 'code',
    ...asked,
    ...parameters,
  })
  const { address } = await openBrowser().follow(`${host.origin}/openid/auth?${query}`, host.origin)
  const { searchParams, hash } = new URL(address)
  return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')
}

const essential = (acr: string) => JSON.stringify({ id_token: { acr: { essential: true, values: [acr] } } })

/** Requests or revokes tokens, with the client secret in one of the places where it is allowed. */
async function authenticate(method: string, at: 'token' | 'revoke'): Promise<number> {
  const site = await newClient(host, undefined, { isPublic: method === 'none' })
  const { checks, address } = await answered({}, site)
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: new URL(address).searchParams.get('code')!,
    redirect_uri: 'http://127.0.0.1:9/callback',
    code_verifier: checks.pkceCodeVerifier,
    token: 'of nobody',
  })
  const secret = site.clientSecret ?? ''
  if (method !== 'client_secret_basic') form.set('client_id', site.clientId)
  if (method === 'client_secret_post') form.set('client_secret', secret)
  const basic = { Authorization: `Basic ${Buffer.from(`${site.clientId}:${secret}`).toString('base64')}` }
  const headers: Record<string, string> = method === 'client_secret_basic' ? basic : {}
  return (await host.fetch(`/openid/${at}`, { method: 'POST', body: form, headers })).status
}

/** One request for each value in each list. There must be one for every advertised value. */
const requests: Readonly<Record<string, (value: string) => Promise<unknown>>> = {
  async scopes_supported(scope) {
    const site =
      scope === 'match'
        ? await newClient(host, matching)
        : await newClient(host, aging, { ageThresholds: [18] })
    if (scope === 'match') await visit(host, site.verificationId, person, 'reExternalId=ada')
    const hint = scope === 'match' ? { login_hint: 'ada' } : {}
    const { tokens } = await tokensOf({ scope: `openid ${scope}`, ...hint }, site)
    expect(tokens.scope?.split(' ')).toContain(scope)
  },
  async acr_values_supported(acr) {
    if (acr.endsWith(':standard')) {
      // Drawn people send no film, so such a visit would begin but then fail below.
      expect(await errorOf({ claims: essential(acr) })).toBeNull()
      return
    }
    const config: VerificationConfig = acr.endsWith(':none')
      ? { verifierConfigs: { age: { type: 'CalculationOnly' } } }
      : {}
    const site = acr.endsWith(':none') ? await newClient(host, config) : made
    expect((await tokensOf({ claims: essential(acr) }, site)).claims.acr).toBe(acr)
  },
  async response_types_supported(type) {
    expect(await errorOf({ response_type: type })).toBeNull()
  },
  async response_modes_supported(mode) {
    const { address, response, config, checks } = await answered({ response_mode: mode })
    const fields =
      mode === 'form_post'
        ? formOf(await response.text()).fields
        : Object.fromEntries(new URL(address).searchParams)
    const answer = new URL(`http://127.0.0.1:9/callback?${new URLSearchParams(fields)}`)
    expect((await client.authorizationCodeGrant(config, answer, checks)).claims()).toBeDefined()
  },
  async grant_types_supported(type) {
    expect(type).toBe('authorization_code')
    expect((await tokensOf()).tokens.access_token).toBeDefined()
  },
  async prompt_values_supported(prompt) {
    const { address } = await answered({ prompt })
    const { searchParams } = new URL(address)
    expect(searchParams.get(prompt === 'none' ? 'error' : 'code')).toEqual(
      prompt === 'none' ? 'login_required' : expect.any(String),
    )
  },
  async subject_types_supported(type) {
    expect(type).toBe('pairwise')
    const subjectAt = async (redirect: string) => {
      const site = await newClient(host, matching, {
        redirectUris: [redirect, 'http://127.0.0.1:9/callback'],
      })
      await visit(host, site.verificationId, person, 'reExternalId=ada')
      const asked = { scope: 'openid match', login_hint: 'ada' }
      return [(await tokensOf(asked, site)).claims.sub, (await tokensOf(asked, site)).claims.sub]
    }
    const [first, again] = await subjectAt('http://127.0.0.1:10/callback')
    const [other] = await subjectAt('https://other.example/callback')
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  },
  async id_token_signing_alg_values_supported(alg) {
    expect(decodeProtectedHeader((await tokensOf()).tokens.id_token!).alg).toBe(alg)
  },
  async code_challenge_methods_supported(method) {
    expect(await errorOf({ code_challenge_method: method })).toBeNull()
  },
  async token_endpoint_auth_methods_supported(method) {
    expect(await authenticate(method, 'token')).toBe(200)
  },
  async revocation_endpoint_auth_methods_supported(method) {
    expect(await authenticate(method, 'revoke')).toBe(200)
  },
  async claim_types_supported(type) {
    expect(type).toBe('normal')
    expect((await tokensOf()).claims).not.toHaveProperty('_claim_names')
  },
  async ui_locales_supported(language) {
    const page = await host.fetch(`/openid/auth?client_id=x&ui_locales=tlh+${language}_XX+en`)
    expect(await page.text()).toContain(`<html lang="${language}"`)
  },
}

/** The claims are requested together, because a client may ask for five ages. */
async function allClaims(): Promise<ReadonlySet<string>> {
  const ages = Array.from({ length: 18 }, (_, i) => 13 + i)
  const found = new Set<string>()
  for (let i = 0; i < ages.length; i += 5) {
    const some = { ageThresholds: ages.slice(i, i + 5), mayAskAgeEstimate: true }
    const site = await newClient(host, aging, some)
    const claims = JSON.stringify({ id_token: { age_estimate: null } })
    for (const name of Object.keys((await tokensOf({ scope: 'openid face age', claims }, site)).claims))
      found.add(name)
  }
  const site = await newClient(host, matching)
  await visit(host, site.verificationId, person, 'reExternalId=ada')
  const asked = { scope: 'openid match', login_hint: 'ada' }
  for (const name of Object.keys((await tokensOf(asked, site)).claims)) found.add(name)
  return found
}

describe('discovery', () => {
  test('advertises lists, each value of which works', async () => {
    const lists = Object.entries(document).filter(([, value]) => Array.isArray(value)) as [string, string[]][]
    for (const [name, values] of lists) {
      if (name === 'claims_supported') continue
      expect(requests, name).toHaveProperty(name)
      expect(values.length, name).toBeGreaterThan(0)
      for (const value of values) await requests[name]!(value)
    }
    expect(lists.map(([name]) => name).sort()).toEqual([...Object.keys(requests), 'claims_supported'].sort())
    expect(host.errors).toEqual([])
  })

  test('advertises the claims in tokens, and all of them except those of the token itself', async () => {
    const ofToken = ['aud', 'exp', 'iat', 'nonce', 'at_hash']
    const found = [...(await allClaims())].filter((name) => !ofToken.includes(name))
    expect([...(document.claims_supported as string[])].sort()).toEqual(found.sort())
  })

  test('describes the behaviour of the server everywhere else', async () => {
    const rest = Object.entries(document).filter(([, value]) => !Array.isArray(value))
    const at = (path: string) => `${host.origin}/openid${path}`
    expect(Object.fromEntries(rest)).toEqual({
      issuer: at(''),
      authorization_endpoint: at('/auth'),
      pushed_authorization_request_endpoint: at('/par'),
      token_endpoint: at('/token'),
      userinfo_endpoint: at('/userinfo'),
      revocation_endpoint: at('/revoke'),
      jwks_uri: at('/jwks'),
      claims_parameter_supported: true,
      authorization_response_iss_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    })
    const { address } = await answered({ claims: JSON.stringify({ id_token: { verified: null } }) })
    expect(new URL(address).searchParams.get('iss')).toBe(document.issuer)
    expect(await errorOf({ request: 'a.b.c' })).toBe('request_not_supported')
    expect(await errorOf({ request_uri: 'https://shop.example/r' })).toBe('request_uri_not_supported')
    expect(document.ui_locales_supported).toEqual(pageLanguages)
  })

  test.each([
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ response_mode: 'web_message' }, 'unsupported_response_mode'],
    [{ response_mode: 'query.jwt' }, 'unsupported_response_mode'],
    [{ response_type: 'none' }, 'unsupported_response_type'],
    [{ response_type: 'id_token' }, 'invalid_request'],
    [{ response_type: 'code id_token' }, 'invalid_request'],
    [{ prompt: 'select_account' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ claims: essential('urn:selfsame:assurance:high') }, 'unmet_authentication_requirements'],
    [{ claims: essential('urn:selfsame:assurance:highest') }, 'unmet_authentication_requirements'],
  ])('omits what is refused: %j', async (parameters, error) => {
    expect(await errorOf(parameters as Record<string, string>)).toBe(error)
  })

  test('advertises the assurance high if makers of devices are trusted', async () => {
    const high = 'urn:selfsame:assurance:high'
    expect(document.acr_values_supported).not.toContain(high)
    const trusting = await startProvider({ ports: { passkeyRoots: [] as never } })
    expect((await documentOf(trusting)).acr_values_supported).toContain(high)
    await trusting.close()
  })
})
