import * as client from 'openid-client'
import { describe, expect, test } from 'vitest'
import type { Host } from '../../../support/host.ts'
import { openBrowser } from '../../../support/openid/browser.ts'
import { configure, newClient, newRequest, signIn, startProvider } from '../../../support/openid/site.ts'

const person = { person: 'a', age: 34 }

/** The answer that a browser gets for a new request. */
async function come(host: Host, made: Awaited<ReturnType<typeof newClient>>) {
  const url = client.buildAuthorizationUrl(await configure(made), (await newRequest()).asked)
  return (await openBrowser().follow(url.href, host.origin)).response
}

async function expectPage(response: Response): Promise<void> {
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(response.headers.get('Content-Type')).toContain('text/html')
  expect(await response.text()).toContain('Too many attempts')
}

describe('limits of the provider', () => {
  test('apply to opened visits, with a page for people', async () => {
    const host = await startProvider({ limits: { inits: 2 } })
    const made = await newClient(host)
    expect([(await come(host, made)).status, (await come(host, made)).status]).toEqual([303, 303])
    await expectPage(await come(host, made))
    await host.close()
  })

  test('apply to wrong secrets: then the right one is not tried either', async () => {
    const host = await startProvider({ limits: { failedLogins: 2 } })
    const made = await newClient(host)
    const redeem = (secret: string) =>
      host.fetch('/openid/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: 'x',
          code_verifier: 'x'.repeat(43),
          client_id: made.clientId,
          client_secret: secret,
        }),
      })
    expect([(await redeem('a')).status, (await redeem('b')).status]).toEqual([401, 401])
    const refused = await redeem(made.clientSecret!)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Content-Type')).toContain('json')
    await host.close()
  })

  test('apply to requests of an address', async () => {
    const host = await startProvider({ limits: { requests: 2 } })
    const ask = async () => (await host.fetch('/openid/jwks')).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
    await expectPage(await host.fetch('/openid/auth?client_id=x', { headers: { Accept: 'text/html' } }))
    await host.close()
  })

  test('apply to failed visits of a named person', async () => {
    const host = await startProvider({ ports: { attemptLimit: 1 } })
    const made = await newClient(host, {
      verifierConfigs: { faceRecognition: { type: 'MatchVerification' } },
    })
    const config = await configure(made)
    const asked = async () =>
      client.buildAuthorizationUrlWithPAR(
        config,
        (await newRequest({ scope: 'openid match', login_hint: 'ada' })).asked,
      )
    const failed = await signIn(host, (await asked()).href, person)
    expect(new URL(failed.address).searchParams.get('error')).toBe('access_denied')
    await expectPage((await openBrowser().follow((await asked()).href, host.origin)).response)
    await host.close()
  })
})

describe('a sign-in counts once', () => {
  /** How many requests in a series are not answered with 429. */
  async function letIn(times: number, ask: () => Promise<Response>): Promise<number> {
    const statuses = []
    for (let i = 0; i < times; i++) statuses.push((await ask()).status)
    return statuses.filter((status) => status !== 429).length
  }

  const formOf = async (made: Awaited<ReturnType<typeof newClient>>, more: Record<string, string> = {}) =>
    new URLSearchParams({
      ...(await newRequest()).asked,
      client_id: made.clientId,
      response_type: 'code',
      ...(made.clientSecret !== undefined && { client_secret: made.clientSecret }),
      ...more,
    })
  const push = async (host: Host, made: Awaited<ReturnType<typeof newClient>>) =>
    host.fetch('/openid/par', { method: 'POST', body: await formOf(made) })
  const pushedUri = async (answer: Response) => ((await answer.json()) as { request_uri: string }).request_uri
  const use = (host: Host, clientId: string, uri: string) =>
    host.fetch(`/openid/auth?${new URLSearchParams({ client_id: clientId, request_uri: uri })}`)

  test('as its request, and not again as its session', async () => {
    const host = await startProvider({ limits: { inits: 2 } })
    const made = await newClient(host)
    const browser = openBrowser()
    const url = client.buildAuthorizationUrl(await configure(made), (await newRequest()).asked)
    const { address } = await browser.follow(url.href, host.origin)
    expect(address).toContain('/verification/session/')
    expect((await come(host, made)).status).toBe(303)
    expect((await come(host, made)).status).toBe(429)
    await host.close()
  })

  test('as the pushed request of a public client: its first use is free, a second one is another sign-in', async () => {
    const host = await startProvider({ limits: { inits: 2 } })
    const made = await newClient(host, undefined, { isPublic: true })
    const uri = await pushedUri(await push(host, made))
    expect((await use(host, made.clientId, uri)).status).toBe(303)
    expect((await use(host, made.clientId, uri)).status).toBe(303)
    expect((await use(host, made.clientId, uri)).status).toBe(429)
    const refused = await push(host, made)
    expect([refused.status, refused.headers.get('Content-Type')]).toEqual([429, 'application/problem+json'])
    await host.close()
  })

  test("by client if it is pushed with a secret; the browser's request counts for its address", async () => {
    const host = await startProvider({ limits: { inits: 1, requests: 20 } })
    const made = await newClient(host)
    expect(await letIn(5, () => push(host, made))).toBe(5)
    const uri = await pushedUri(await push(host, made))
    expect((await use(host, made.clientId, uri)).status).toBe(303)
    expect((await use(host, made.clientId, uri)).status).toBe(429)
    await host.close()
  })

  test('and is another one if it is restarted from its own address', async () => {
    const host = await startProvider({ limits: { inits: 2 } })
    const made = await newClient(host)
    const browser = openBrowser()
    const url = client.buildAuthorizationUrl(await configure(made), (await newRequest()).asked)
    const begun = await browser.fetch(url.href)
    const again = (answer: Response) =>
      browser.fetch(host.origin + answer.headers.get('Location')!.replace('/visit/', '/auth/'))
    const second = await again(begun)
    expect([begun.status, second.status]).toEqual([303, 303])
    expect((await again(second)).status).toBe(429)
    await host.close()
  })

  test('and not at all if its request fails', async () => {
    const host = await startProvider({ limits: { inits: 1 } })
    const made = await newClient(host)
    const ask = () => host.fetch('/openid/auth?client_id=x')
    expect(await letIn(3, ask)).toBe(3)
    expect((await come(host, made)).status).toBe(303)
    await host.close()
  })
})

describe('the size of a request', () => {
  const most = 2048
  const ask = async (host: Host, more: Record<string, string>) => {
    const made = await newClient(host, undefined, { isPublic: true })
    const asked = { ...(await newRequest()).asked, client_id: made.clientId, response_type: 'code', ...more }
    const form = new URLSearchParams(asked)
    const site = (address: string | null) => new URL(address ?? '/', host.origin).searchParams.get('error')
    const shown = await host.fetch(`/openid/auth?${form}`)
    const pushed = await host.fetch('/openid/par', { method: 'POST', body: form })
    const posted = await host.fetch('/openid/auth', { method: 'POST', body: form })
    return {
      shown: [shown.status, site(shown.headers.get('Location'))],
      pushed: pushed.status,
      posted: posted.status,
    }
  }

  test.each(['state', 'nonce'])('has a %s of at most 2,048 characters, by every way', async (name) => {
    const host = await startProvider()
    const kept = { shown: [303, null], pushed: 201, posted: 303 }
    expect(await ask(host, { [name]: 'x'.repeat(most) })).toEqual(kept)
    // A single character made up of two UTF-16 units.
    expect(await ask(host, { [name]: '\u{1f600}'.repeat(500) })).toEqual(kept)
    const refused = { shown: [303, 'invalid_request'], pushed: 400, posted: 303 }
    expect(await ask(host, { [name]: 'x'.repeat(most + 1) })).toEqual(refused)
    await host.close()
  })

  test('is at most 8 kB for address and body together', async () => {
    const host = await startProvider()
    expect(await ask(host, { login_hint: 'x'.repeat(7000) })).toMatchObject({ pushed: 201, posted: 303 })
    const refused = await ask(host, { login_hint: 'x'.repeat(8000) })
    expect(refused).toMatchObject({ shown: [413, null], pushed: 413, posted: 413 })
    const shared = await host.fetch(`/openid/par?x=${'x'.repeat(5000)}`, {
      method: 'POST',
      body: new URLSearchParams({ x: 'x'.repeat(5000) }),
    })
    expect([shared.status, ((await shared.json()) as { code: string }).code]).toEqual([413, 'body_too_large'])
    await host.close()
  })

  test('is measured while it arrives if its length is not announced', async () => {
    const host = await startProvider()
    const chunks = (count: number) =>
      new ReadableStream({
        start(controller) {
          for (let i = 0; i < count; i++) controller.enqueue(Buffer.from(`${'x='.padEnd(1024, 'x')}&`))
          controller.close()
        },
      })
    const send = (count: number) =>
      host.fetch('/openid/par', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: chunks(count),
        duplex: 'half',
      } as RequestInit)
    expect((await send(2)).status).toBe(400)
    expect((await send(9)).status).toBe(413)
    await host.close()
  })
})
