import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignedTokens } from '#server/features/tokens/signed-tokens.ts'
import { createTokenKeys } from '#server/features/tokens/token-keys.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { readStamp } from '#server/platform/store/store-stamp.ts'
import { validateSignature } from '#shared/contract/configuration/signature.ts'
import { initRedirectSession } from '#shared/contract/sessions/session.ts'
import { type Host, startHost } from '../support/host.ts'
import { newVerification, problemOf, signedQuery } from '../support/visit.ts'

const secret = Buffer.alloc(32, 7)
const otherSecret = Buffer.alloc(32, 8)

let eu: Host
beforeAll(async () => {
  eu = await startHost()
})
afterAll(() => eu.close())

async function tokenOf(host: Host): Promise<string> {
  const headers = { authorization: `ApiKey ${host.apiKey}` }
  return (await (await host.fetch('/v1/token/get', { headers })).json()).token
}

describe.each([
  ['a secret of its own', otherSecret],
  ['the same secret', secret],
])('of a deployment in the US with %s', (_name, master) => {
  let us: Host
  beforeAll(async () => {
    us = await startHost({
      ports: { region: 'US', keyRing: createKeyRing(master, 'US'), issuer: () => eu.origin },
    })
  })
  afterAll(() => us.close())

  test('a token is refused in the EU', async () => {
    const bearer = { headers: { authorization: `Bearer ${await tokenOf(us)}` } }
    expect((await us.fetch('/v1/datetime/utc-now', bearer)).status).toBe(200)
    expect((await eu.fetch('/v1/datetime/utc-now', bearer)).status).toBe(401)
  })

  test('a key is refused in the EU', async () => {
    expect(
      await problemOf(eu.call(validateSignature, { apiKey: us.apiKey, body: { queryString: 'a' } })),
    ).toBe('unauthenticated')
  })

  test('a signed link opens nothing in the EU', async () => {
    const queryString = await signedQuery(us, 'a=1')
    expect(await eu.call(validateSignature, { body: { queryString } })).toEqual({ result: 'Invalid' })
    const usId = await newVerification(us)
    const euId = await newVerification(eu)
    const open = (verificationId: string) =>
      problemOf(eu.call(initRedirectSession, { body: { verificationId, queryString } }))
    expect(await open(usId)).toBe('not_found')
    expect(await open(euId)).toBe('signature_invalid')
  })
})

describe('tokens', () => {
  test('name their region, and are refused in another one even if the keys are the same', async () => {
    const store = createMemoryStore()
    const keys = createTokenKeys(store, createKeyRing(secret, 'EU'), Date.now)
    const of = (region: 'EU' | 'US') =>
      createSignedTokens({
        keys,
        region,
        issuer: () => 'https://tokens.example',
        environmentOf: async () => 'live',
        now: Date.now,
      })
    const token = await of('US').issueAccess(
      { accountId: 'a', keyId: 'k', scopes: ['analyse'] },
      Date.now() + 60_000,
    )
    expect(JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).aud).toBe('US')
    expect(await of('EU').readAccess(token)).toBeUndefined()
    expect(await of('US').readAccess(token)).toMatchObject({ accountId: 'a' })
  })
})

describe('the store', () => {
  test('belongs to the region that first opened it', async () => {
    const store = createMemoryStore()
    await readStamp(store, 'US')
    await readStamp(store, 'US')
    await expect(readStamp(store, 'EU')).rejects.toThrow('US')
  })

  test('stores nothing that opens under the keys of another region', () => {
    const sealed = createKeyRing(secret, 'US').seal('signing-key', 'account', Buffer.from('content'))
    expect(() => createKeyRing(secret, 'EU').open('signing-key', 'account', sealed)).toThrow()
  })
})
