import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Host } from '../../../support/host.ts'
import { configure, newClient, newRequest, signIn, startProvider } from '../../../support/openid/site.ts'

let host: Host
beforeAll(async () => {
  host = await startProvider()
})
afterAll(() => host.close())

const day = 24 * 3600 * 1000

/** Signs a person in and verifies the signature. Returns the ID token. */
async function newIdToken(made: Awaited<ReturnType<typeof newClient>>): Promise<string> {
  const config = await configure(made)
  client.enableNonRepudiationChecks(config)
  const { asked, checks } = await newRequest()
  const url = client.buildAuthorizationUrl(config, asked).href
  const { address } = await signIn(host, url, { person: 'a', age: 34 })
  return (await client.authorizationCodeGrant(config, new URL(address), checks)).id_token!
}

const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid

async function published(): Promise<string[]> {
  const { keys } = (await (await host.fetch('/openid/jwks')).json()) as {
    keys: { kid: string; d?: string }[]
  }
  expect(keys.every((key) => key.d === undefined)).toBe(true)
  return keys.map(({ kid }) => kid)
}

test('keys rotate by themselves after 90 days; the previous one is published for a day more', async () => {
  const made = await newClient(host)
  const former = kidOf(await newIdToken(made))
  expect(await published()).toEqual([former])
  host.pass(90 * day)
  expect(kidOf(await newIdToken(made)), 'a new key is published before it signs').toBe(former)
  const [, newer] = await published()
  expect(await published()).toEqual([former, newer])
  host.pass(6001)
  expect(kidOf(await newIdToken(made))).toBe(newer)
  expect(await published()).toEqual([newer, former])
  host.pass(1.1 * day)
  expect(kidOf(await newIdToken(made))).toBe(newer)
  expect(await published()).toEqual([newer])
  expect(host.errors).toEqual([])
})
