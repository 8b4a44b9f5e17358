import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '#shared/contract/account/account.ts'
import { scopes } from '#shared/endpoint.ts'
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
import { visit } from '../../../support/visit.ts'

let host: Host
let trial: Host
beforeAll(async () => {
  host = await startProvider()
  const body = { name: 'CI', scopes: [...scopes], mode: 'test' as const }
  const { apiKey } = await host.call(createKey, { body })
  trial = { ...host, apiKey, call: (e, args) => host.call(e, { apiKey, ...args }) }
})
afterAll(() => host.close())

const person = { person: 'a', age: 34 }
const other = { person: 'b', age: 30 }
const matching = { verifierConfigs: { faceRecognition: { type: 'MatchVerification' as const } } }
const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error
const answerOf = (address: string) => Object.fromEntries(new URL(address).searchParams)

/** A sign-in performed the way a site does it, up to its answer. */
async function signedIn(made: NewClient) {
  const config = await configure(made)
  const { asked, checks } = await newRequest()
  const address = client.buildAuthorizationUrl(config, asked).href
  const opened = await signIn(host, address, person)
  return { config, asked, checks, started: address, ...opened }
}

async function tokensOf(made: NewClient) {
  const { config, checks, address } = await signedIn(made)
  return { config, tokens: await client.authorizationCodeGrant(config, new URL(address), checks) }
}

/** A pushed request for a known person, and the address that the browser opens for it. */
async function pushed(made: NewClient, parameters: Record<string, string>) {
  const config = await configure(made)
  const { asked, checks } = await newRequest(parameters)
  return { config, checks, url: await client.buildAuthorizationUrlWithPAR(config, asked) }
}

describe('mix-up and injection', () => {
  test('every answer, code or error, names its issuer; a client trusts no other one', async () => {
    const made = await newClient(host)
    const { config, checks, address } = await signedIn(made)
    expect(answerOf(address).iss).toBe(made.issuer)
    const elsewhere = new URL(address)
    elsewhere.searchParams.set('iss', 'https://evil.example/openid')
    await expect(client.authorizationCodeGrant(config, elsewhere, checks)).rejects.toThrow()
    elsewhere.searchParams.delete('iss')
    await expect(client.authorizationCodeGrant(config, elsewhere, checks)).rejects.toThrow()
  })

  test('a code of an attacker is worthless in another person’s sign-in', async () => {
    const made = await newClient(host)
    const [victim, attacker] = [await signedIn(made), await signedIn(made)]
    const injected = new URL(victim.address)
    injected.searchParams.set('code', answerOf(attacker.address).code!)
    await expect(client.authorizationCodeGrant(victim.config, injected, victim.checks)).rejects.toMatchObject(
      {
        error: 'invalid_grant',
      },
    )
  })

  test('a code is not redeemed without its verifier: PKCE cannot be dropped halfway', async () => {
    const made = await newClient(host)
    const { address } = await signedIn(made)
    const form = {
      grant_type: 'authorization_code',
      code: answerOf(address).code!,
      redirect_uri: redirectUri,
    }
    const body = new URLSearchParams({ ...form, client_id: made.clientId, client_secret: made.clientSecret! })
    expect(await errorOf(await host.fetch('/openid/token', { method: 'POST', body }))).toBe('invalid_grant')
  })
})

describe('replay', () => {
  test('a pushed request opens one sign-in', async () => {
    const made = await newClient(host)
    const { url } = await pushed(made, {})
    expect(answerOf((await signIn(host, url.href, person)).address).code).toBeDefined()
    const again = await signIn(host, url.href, person)
    expect(answerOf(again.address).code).toBeUndefined()
  })

  test('the return address works once: a second time leads to no second code', async () => {
    const made = await newClient(host)
    const { config, asked } = { config: await configure(made), ...(await newRequest()) }
    const browser = openBrowser()
    const page = await browser.follow(client.buildAuthorizationUrl(config, asked).href, host.origin)
    const back = await actVisit(host, page.address, person)
    const first = await browser.follow(back, host.origin)
    expect(answerOf(first.address).code).toBeDefined()
    const second = await browser.follow(back, host.origin)
    expect(second.address).not.toContain('code=')
    expect(second.response.status).toBe(400)
  })
})

describe('an edited login_hint', () => {
  test('next to a pushed request does not change the person: the pushed one is compared', async () => {
    const made = await newClient(host, matching)
    await visit(host, made.verificationId, person, 'reExternalId=ada')
    await visit(host, made.verificationId, other, 'reExternalId=bob')
    const subjectOf = async (pushedHint: string, editedHint: string, scene: typeof person) => {
      const { config, checks, url } = await pushed(made, { scope: 'openid match', login_hint: pushedHint })
      url.searchParams.set('login_hint', editedHint)
      const { address } = await signIn(host, url.href, scene)
      if (answerOf(address).code === undefined) return answerOf(address).error
      return (await client.authorizationCodeGrant(config, new URL(address), checks)).claims()!.sub
    }
    const ada = await subjectOf('ada', 'ada', person)
    expect(ada).toMatch(/^[\w-]{43}$/)
    expect(await subjectOf('ada', 'bob', other)).toBe('access_denied')
    expect(await subjectOf('ada', 'bob', person)).toBe(ada)
    expect(await subjectOf('bob', 'bob', other)).not.toBe(ada)
  })

  test('of a request that was pushed by another client is refused', async () => {
    const [made, another] = [await newClient(host), await newClient(host)]
    const { url } = await pushed(made, {})
    url.searchParams.set('client_id', another.clientId)
    expect(await signIn(host, url.href, person)).not.toHaveProperty('page')
  })
})

describe('substitution', () => {
  test('a token belongs to one client and one issuer: no other client ends it, and no other issuer accepts it', async () => {
    const [made, another] = [await newClient(host), await newClient(host)]
    const { config, tokens } = await tokensOf(made)
    const { access_token: token } = tokens
    const revoked = new URLSearchParams({
      token,
      client_id: another.clientId,
      client_secret: another.clientSecret!,
    })
    await host.fetch('/openid/revoke', { method: 'POST', body: revoked })
    const claims = await client.fetchUserInfo(config, token, tokens.claims()!.sub)
    expect(claims.sub).toBe(tokens.claims()!.sub)
    const Authorization = `Bearer ${token}`
    expect((await host.fetch('/openid/test/userinfo', { headers: { Authorization } })).status).toBe(401)
    const idToken = { headers: { Authorization: `Bearer ${tokens.id_token}` } }
    expect((await host.fetch('/openid/userinfo', idToken)).status).toBe(401)
  })

  test('no OpenID token opens the API, and no key of the API opens userinfo', async () => {
    const { tokens } = await tokensOf(await newClient(host))
    for (const token of [tokens.access_token, tokens.id_token!]) {
      const headers = { Authorization: `Bearer ${token}` }
      expect((await host.fetch('/v1/account/get', { headers })).status).toBe(401)
    }
    for (const scheme of ['ApiKey', 'Bearer']) {
      const headers = { Authorization: `${scheme} ${host.apiKey}` }
      expect((await host.fetch('/openid/userinfo', { headers })).status).toBeGreaterThanOrEqual(400)
    }
  })

  test('a sign-in of one issuer does not continue at the other', async () => {
    const made = await newClient(trial)
    const config = await configure(made)
    const browser = openBrowser()
    await browser.follow(client.buildAuthorizationUrl(config, (await newRequest()).asked).href, host.origin)
    const path = [...browser.cookies.values()].map((one) => one.path).find((one) => one.includes('/visit/'))!
    const cookie = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
    const at = (where: string) => host.fetch(where, { headers: { Cookie: cookie }, redirect: 'manual' })
    expect((await at(path)).status).toBe(303)
    expect((await at(path.replace('/openid/test/', '/openid/'))).status).toBe(400)
    expect((await at(`${path.replace('/openid/test/', '/openid/')}/done`)).status).toBe(400)
  })

  test('a client of another account is neither found nor changed', async () => {
    const { apiKey } = await host.services.accounts.create('Another account')
    const stranger: Host = { ...host, apiKey, call: (e, args) => host.call(e, { apiKey, ...args }) }
    const [made, theirs] = [await newClient(host), await newClient(stranger)]
    const { config, asked } = { config: await configure(theirs), ...(await newRequest()) }
    const url = client.buildAuthorizationUrl(config, asked)
    url.searchParams.set('client_id', made.clientId)
    const { address, checks } = { ...(await signIn(host, url.href, person)), ...(await newRequest()) }
    await expect(client.authorizationCodeGrant(config, new URL(address), checks)).rejects.toThrow()
  })

  test('an unsigned ID token is no hint', async () => {
    const made = await newClient(host)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = `${part({ alg: 'none' })}.${part({ iss: made.issuer, aud: made.clientId, sub: 'x' })}.`
    const config = await configure(made)
    const { asked } = await newRequest({ id_token_hint: forged })
    const { address } = await signIn(host, client.buildAuthorizationUrl(config, asked).href, person)
    expect(answerOf(address).error).toBe('invalid_request')
  })
})

test('none of it caused an error of the server', () => {
  expect(host.errors).toEqual([])
})
