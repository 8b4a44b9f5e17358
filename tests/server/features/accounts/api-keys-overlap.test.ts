import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKey, getKeys, revokeKey, setPrimaryKey } from '#shared/contract/account/account.ts'
import { getAllVerifications } from '#shared/contract/configuration/verification.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { type Host, startHost } from '../../../support/host.ts'

const minute = 60_000
let host: Host
beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

const create = (name: string, scopes: ('admin' | 'configure' | 'tokens' | 'analyse')[]) =>
  host.call(createKey, { body: { name, scopes } })
const keyOf = async (keyId: string, apiKey = host.apiKey) =>
  (await host.call(getKeys, { apiKey })).keys.find((key) => key.keyId === keyId)!
const revoke = (keyId: string, overlapInSeconds = 0, apiKey = host.apiKey) =>
  host.call(revokeKey, { query: { keyId, overlapInSeconds }, apiKey })

describe('a key that is revoked with an overlap', () => {
  test('works until then, with its bearers, shows the time, and not a moment longer', async () => {
    const { keyId, apiKey } = await create('Old', ['configure', 'tokens'])
    await revoke(keyId, 1800)
    const { token: bearer } = await host.call(getToken, {
      query: { expirationInSeconds: 3600, scope: 'configure' },
      apiKey,
    })
    const { revoked, ends } = await keyOf(keyId)
    expect(revoked).toBeNull()
    expect(Date.parse(ends!)).toBeGreaterThan(host.now() + 29 * minute)
    host.pass(29 * minute)
    await host.call(getUtcNow, { apiKey })
    await host.call(getAllVerifications, { bearer })
    host.pass(2 * minute)
    await expect(host.call(getUtcNow, { apiKey })).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(host.call(getAllVerifications, { bearer })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect(await keyOf(keyId)).toMatchObject({ revoked: ends })
    expect(await keyOf(keyId)).not.toHaveProperty('ends')
  })

  test('may be revoked earlier, and never later', async () => {
    const { keyId, apiKey } = await create('Old', [])
    await revoke(keyId, 3600)
    const { ends } = await keyOf(keyId)
    await revoke(keyId, 7200)
    expect((await keyOf(keyId)).ends).toBe(ends)
    await revoke(keyId, 60)
    expect(Date.parse((await keyOf(keyId)).ends!)).toBeLessThan(Date.parse(ends!))
    await revoke(keyId)
    await expect(host.call(getUtcNow, { apiKey })).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('is not the key that webhooks carry, nor the last one that may administer', async () => {
    const { keyId, apiKey } = await create('Admin', ['admin'])
    await revoke(keyId, 3600)
    await expect(host.call(setPrimaryKey, { body: { keyId } })).rejects.toMatchObject({ code: 'conflict' })
    const first = (await host.call(getKeys, {})).keys.find(({ isPrimary }) => isPrimary)!
    const { keyId: webhooks } = await create('Webhooks', [])
    await host.call(setPrimaryKey, { body: { keyId: webhooks } })
    await expect(revoke(first.keyId, 0, apiKey)).rejects.toMatchObject({ code: 'conflict' })
  })

  test.each([-1, 604_801, 1.5])('refuses an overlap of %d seconds', async (overlapInSeconds) => {
    const { keyId } = await create('Old', [])
    await expect(revoke(keyId, overlapInSeconds)).rejects.toMatchObject({
      errors: [{ pointer: '#/query/overlapInSeconds' }],
    })
    await revoke(keyId, 604_800)
    expect((await keyOf(keyId)).revoked).toBeNull()
  })
})
