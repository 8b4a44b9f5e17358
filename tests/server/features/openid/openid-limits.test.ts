import * as client from 'openid-client'
import { describe, expect, test } from 'vitest'
import type { Host } from '../../../support/host.ts'
import { openBrowser } from '../../../support/openid/browser.ts'
import { configure, newClient, newRequest, signIn, startProvider } from '../../../support/openid/site.ts'

const person = { person: 'a', age: 34 }

/** The answer to a browser that comes with a new request. */
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

describe('limits hold at the provider', () => {
  test('of visits that are opened: a person reads a page', async () => {
    const host = await startProvider({ limits: { inits: 2 } })
    const made = await newClient(host)
    expect([(await come(host, made)).status, (await come(host, made)).status]).toEqual([303, 303])
    await expectPage(await come(host, made))
    await host.close()
  })

  test('of wrong secrets: then the right one is not tried either', async () => {
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

  test('of requests of an address', async () => {
    const host = await startProvider({ limits: { requests: 2 } })
    const ask = async () => (await host.fetch('/openid/jwks')).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
    await expectPage(await host.fetch('/openid/auth?client_id=x', { headers: { Accept: 'text/html' } }))
    await host.close()
  })

  test('of failed visits, for a person who is named', async () => {
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
