import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createOpenidClient,
  getOpenidClients,
  tryOpenidClient,
  updateOpenidClient,
} from '#shared/contract/openid/openid-client.ts'
import type { Host } from '../../../support/host.ts'
import { openBrowser } from '../../../support/openid/browser.ts'
import { configure, newClient, newRequest, signIn, startProvider } from '../../../support/openid/site.ts'

let host: Host
beforeAll(async () => {
  host = await startProvider()
})
afterAll(() => host.close())

const person = { person: 'a', age: 34 }

/** Requests a sign-in with a redirect address, and makes the visit unless an error page comes first. */
async function come(made: Awaited<ReturnType<typeof newClient>>, redirect_uri: string, scene = person) {
  const config = await configure(made)
  const { asked, checks } = await newRequest({ redirect_uri })
  const answer = await signIn(host, client.buildAuthorizationUrl(config, asked).href, scene)
  return { config, checks, ...answer }
}

describe('redirect addresses', () => {
  test.each([
    ['https://Shop.example:443?a=b%20c&d=%7E', 'https://shop.example/?a=b%20c&d=%7E'],
    ['https://shop.example/a+b/?q=%2b', 'https://shop.example/a+b/?q=%2B'],
    ['https://shop.example', 'https://shop.example/'],
  ])('are stored, compared and answered exactly as sent: %s, not %s', async (address, alike) => {
    const made = await newClient(host, undefined, { redirectUris: [address] })
    const { clients } = await host.call(getOpenidClients, {})
    expect(clients.find(({ clientId }) => clientId === made.clientId)?.redirectUris).toEqual([address])
    const config = await configure(made)
    const { asked } = await newRequest({ redirect_uri: address, prompt: 'none' })
    const { headers } = await openBrowser().fetch(client.buildAuthorizationUrl(config, asked).href)
    const added = `${address.includes('?') ? '&' : '?'}error=login_required&`
    expect(headers.get('Location')?.startsWith(address + added)).toBe(true)
    expect((await come(made, alike)).response.status).toBe(400)
  })

  test('that a browser would normalise are refused at every write, with their position', async () => {
    const { clientId, verificationId } = await newClient(host)
    const redirectUris = ['https://shop.example/', 'https://shop.example/?code=1', 'https://shop.example/ä']
    const faultsAt = (...pointers: string[]) => ({
      code: 'invalid_request',
      errors: pointers.map((pointer) => expect.objectContaining({ pointer })),
    })
    const created = host.call(createOpenidClient, { body: { name: 'Shop', redirectUris, verificationId } })
    await expect(created).rejects.toMatchObject(faultsAt('#/redirectUris/1', '#/redirectUris/2'))
    const updated = host.call(updateOpenidClient, { body: { clientId, redirectUris: redirectUris.slice(1) } })
    await expect(updated).rejects.toMatchObject(faultsAt('#/redirectUris/0', '#/redirectUris/1'))
    const tried = host.call(tryOpenidClient, { body: { clientId, redirectUri: redirectUris[1]! } })
    await expect(tried).rejects.toMatchObject(faultsAt('#/redirectUri'))
  })
})

describe('a native client on a loopback address', () => {
  test.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:53111/cb'],
    ['http://[::1]/cb', 'http://[::1]:53112/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1:53113/cb'],
  ])('registered with %s signs in at %s', async (registered, address) => {
    const made = await newClient(host, undefined, { isPublic: true, redirectUris: [registered] })
    const { config, checks, address: answer } = await come(made, address)
    expect(answer.startsWith(address)).toBe(true)
    const tokens = await client.authorizationCodeGrant(config, new URL(answer), checks)
    expect(tokens.claims()).toMatchObject({ aud: made.clientId })
  })

  test.each([
    ['another path', true, 'http://127.0.0.1/cb', 'http://127.0.0.1:53111/cb2'],
    ['a name', true, 'http://localhost/cb', 'http://localhost:53111/cb'],
    ['a secret', false, 'http://127.0.0.1/cb', 'http://127.0.0.1:53111/cb'],
  ])('gets a page with %s', async (_name, isPublic, registered, address) => {
    const made = await newClient(host, undefined, { isPublic, redirectUris: [registered] })
    const { response } = await come(made, address)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('invalid_redirect_uri')
  })

  test('redeems its code at the port of its request, and at no other', async () => {
    const made = await newClient(host, undefined, { isPublic: true, redirectUris: ['http://127.0.0.1/cb'] })
    const { config, checks, address } = await come(made, 'http://127.0.0.1:53111/cb')
    const elsewhere = new URL(address.replace(':53111', ':53112'))
    await expect(client.authorizationCodeGrant(config, elsewhere, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})
