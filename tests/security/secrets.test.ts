import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSecret } from '#server/features/operators/operator-store.ts'
import { createKey } from '#shared/contract/account/account.ts'
import { type Host, startHost } from '../support/host.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const made = 24

/** Sign-ins, invitations and their codes are all made by `newSecret`. */
const makers: readonly (readonly [string, () => Promise<string> | string])[] = [
  ['a key', async () => (await host.call(createKey, { body: { name: 'One of many', scopes: [] } })).apiKey],
  ['the first key of an account', async () => (await host.services.accounts.create('Another')).apiKey],
  ['the secret of a sign-in or an invitation', newSecret],
]

test.each(makers)('%s has 256 random bits', async (_what, make) => {
  const secrets: Buffer[] = []
  for (let i = 0; i < made; i++) secrets.push(Buffer.from(await make(), 'base64url'))
  for (const secret of secrets) expect(secret).toHaveLength(32)
  const places = Array.from({ length: 32 }, (_, place) => secrets.map((secret) => secret[place]))
  // A place that never changes, or repeats another one, is chance once in 256 to the power of 23.
  for (const bytes of places) expect(new Set(bytes).size).toBeGreaterThan(1)
  expect(new Set(places.map(String)).size).toBe(32)
})
