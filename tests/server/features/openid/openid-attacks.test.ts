import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Host } from '../../../support/host.ts'
import { openBrowser } from '../../../support/openid/browser.ts'
import {
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

/** A code, and the data needed to redeem it. */
async function newCode(made: Awaited<ReturnType<typeof newClient>>) {
  const config = await configure(made)
  const { asked, checks } = await newRequest()
  const { address } = await signIn(host, client.buildAuthorizationUrl(config, asked).href, person)
  const form = {
    grant_type: 'authorization_code',
    code: new URL(address).searchParams.get('code')!,
    redirect_uri: redirectUri,
    code_verifier: checks.pkceCodeVerifier,
  }
  return { form, address }
}

type Credentials = { clientId: string; clientSecret?: string | undefined }

function redeem({ clientId, clientSecret = '' }: Credentials, form: Record<string, string>, at = '/openid') {
  const Authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  return host.fetch(`${at}/token`, {
    method: 'POST',
    headers: { Authorization, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form),
  })
}

const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error

/** The provider's answer to an authorisation request: an error for the site, a page, or a visit. */
async function answerTo(parameters: Record<string, string>, at = '/openid'): Promise<string> {
  const address = `${host.origin}${at}/auth?${new URLSearchParams(parameters)}`
  const { address: end, response } = await openBrowser().follow(address, host.origin)
  if (end.includes('/verification/session/')) return 'visit'
  if (end.startsWith(redirectUri)) return new URL(end).searchParams.get('error') ?? 'code'
  return `page ${response.status}`
}

async function askedBy(clientId: string, parameters: Record<string, string> = {}) {
  const { asked } = await newRequest(parameters)
  return { ...asked, client_id: clientId, response_type: 'code', ...parameters }
}

describe('an attacker of the OpenID provider', () => {
  test('gains nothing from a used code, and a used code revokes its tokens', async () => {
    const made = await newClient(host)
    const { form } = await newCode(made)
    const first = (await (await redeem(made, form)).json()) as { access_token: string }
    expect(await errorOf(await redeem(made, form))).toBe('invalid_grant')
    const told = await host.fetch('/openid/userinfo', {
      headers: { Authorization: `Bearer ${first.access_token}` },
    })
    expect(told.status).toBe(401)
  })

  test('gets at most one answer for a code that is redeemed many times at once', async () => {
    const made = await newClient(host)
    const { form } = await newCode(made)
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(made, form)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
  })

  test('cannot redeem a code of another client, with another verifier, or elsewhere', async () => {
    const [made, other] = [await newClient(host), await newClient(host)]
    const { form } = await newCode(made)
    expect(await errorOf(await redeem(other, form))).toBe('invalid_grant')
    expect(await errorOf(await redeem(made, { ...form, code_verifier: 'x'.repeat(43) }))).toBe(
      'invalid_grant',
    )
    expect(await errorOf(await redeem(made, { ...form, redirect_uri: `${redirectUri}2` }))).toBe(
      'invalid_grant',
    )
    expect(await errorOf(await redeem(made, form, '/openid/test'))).toBe('invalid_client')
    expect(await errorOf(await redeem({ ...made, clientSecret: 'wrong' }, form))).toBe('invalid_client')
    expect((await redeem(made, form)).status).toBe(200)
  })

  test.each([
    `${redirectUri}/`,
    `${redirectUri}?a=b`,
    `${redirectUri}#a`,
    redirectUri.toUpperCase(),
    redirectUri.replace(':9', ':10'),
    redirectUri.replace('http', 'https'),
    `${redirectUri}%2e`,
    'http://127.0.0.1:9@evil.example/callback',
    'http://127.0.0.1:9/other/../callback',
    'javascript:alert(1)',
  ])(
    'gets a page, and no redirect, for a redirect address that differs by one character: %s',
    async (address) => {
      const { clientId } = await newClient(host)
      expect(await answerTo(await askedBy(clientId, { redirect_uri: address }))).toBe('page 400')
    },
  )

  test('gets no visit without PKCE, with its plain method, a request object or another response', async () => {
    const { clientId } = await newClient(host)
    const { code_challenge: _challenge, ...bare } = await askedBy(clientId)
    const { code_challenge_method: _method, ...without } = bare
    expect(await answerTo(without)).toBe('invalid_request')
    expect(await answerTo(await askedBy(clientId, { code_challenge_method: 'plain' }))).toBe(
      'invalid_request',
    )
    expect(await answerTo(await askedBy(clientId, { request: 'a.b.c' }))).toBe('request_not_supported')
    expect(await answerTo(await askedBy(clientId, { request_uri: 'https://evil.example/r' }))).not.toBe(
      'visit',
    )
    expect(await answerTo(await askedBy(clientId, { response_type: 'id_token' }))).not.toBe('visit')
  })

  test('gets no comparison through an address alone, nor through a client without a secret', async () => {
    const matching = { verifierConfigs: { faceRecognition: { type: 'MatchVerification' as const } } }
    const { clientId } = await newClient(host, matching)
    const wanted = { scope: 'openid match', login_hint: 'victim' }
    expect(await answerTo(await askedBy(clientId, wanted))).toBe('invalid_request')
    const open = await newClient(host, matching, { isPublic: true })
    expect(await answerTo(await askedBy(open.clientId, wanted))).toBe('unauthorized_client')
  })

  test('learns our own address from every document, whatever host was requested', async () => {
    const response = await host.fetch('/openid/.well-known/openid-configuration', {
      headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
    })
    expect(await response.text()).not.toContain('evil.example')
  })

  test('cannot continue the sign-in of another browser', async () => {
    const made = await newClient(host)
    const { asked } = await newRequest()
    const config = await configure(made)
    const opened = await signIn(host, client.buildAuthorizationUrl(config, asked).href, person)
    const uid = [...opened.browser.cookies.values()]
      .map(({ path }) => path)
      .find((path) => path.includes('/visit/'))
    const { response } = await openBrowser().follow(`${host.origin}${uid}/done`, host.origin)
    expect(response.status).toBe(400)
  })

  test('finds no client of the live issuer at the test issuer', async () => {
    const { clientId } = await newClient(host)
    expect(await answerTo(await askedBy(clientId), '/openid/test')).toBe('page 400')
  })

  test('causes no error of the server', () => {
    expect(host.errors).toEqual([])
  })
})
