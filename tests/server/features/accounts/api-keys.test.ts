import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createKey,
  getAccount,
  getKeys,
  revokeKey,
  setPrimaryKey,
  updateAccount,
} from '#shared/contract/account/account.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { cancelSession } from '#shared/contract/sessions/session-list.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { newVerification, openSession, problemOf, submit } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const create = (name: string, scopes: ('admin' | 'configure' | 'analyse' | 'tokens')[]) =>
  host.call(createKey, { body: { name, scopes } })
const keys = async (on = host) => (await on.call(getKeys, {})).keys
const keyOf = async (keyId: string) => (await keys()).find((key) => key.keyId === keyId)!
const revoke = (keyId: string, apiKey = host.apiKey) => host.call(revokeKey, { query: { keyId }, apiKey })

describe('the keys of an account', () => {
  test('are listed with name, scopes, creation, last use and revocation, without their values', async () => {
    const before = (await keys()).length
    const { keyId, apiKey } = await create('Backend', ['configure', 'configure', 'analyse'])
    expect(await keyOf(keyId)).toEqual({
      keyId,
      name: 'Backend',
      scopes: ['configure', 'analyse'],
      isPrimary: false,
      created: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUsed: null,
      revoked: null,
    })
    expect(await keys()).toHaveLength(before + 1)
    expect(JSON.stringify(await keys())).not.toContain(apiKey)
  })

  test('record their last use, to the minute', async () => {
    const { keyId, apiKey } = await create('Used', [])
    await host.call(getUtcNow, { apiKey })
    const first = (await keyOf(keyId)).lastUsed
    expect(first).not.toBeNull()
    host.pass(59_000)
    await host.call(getUtcNow, { apiKey })
    expect((await keyOf(keyId)).lastUsed).toBe(first)
    host.pass(2000)
    await Promise.all(Array.from({ length: 20 }, () => host.call(getUtcNow, { apiKey })))
    expect(Date.parse((await keyOf(keyId)).lastUsed!)).toBeGreaterThan(Date.parse(first!) + 60_000)
  })

  test('stop working at once when they are revoked, and their bearers with them', async () => {
    const { keyId, apiKey } = await create('Short', ['tokens', 'analyse'])
    const { token } = await host.call(getToken, { query: {}, apiKey })
    await host.call(getUtcNow, { bearer: token })
    await revoke(keyId)
    expect(await problemOf(host.call(getUtcNow, { apiKey }))).toBe('unauthenticated')
    expect(await problemOf(host.call(getUtcNow, { bearer: token }))).toBe('unauthenticated')
    const { revoked } = await keyOf(keyId)
    expect(revoked).not.toBeNull()
    host.pass(1000)
    await revoke(keyId)
    expect((await keyOf(keyId)).revoked).toBe(revoked)
  })

  test('stop working at once in another process, too', async () => {
    const { keyId, apiKey } = await create('Short', [])
    const other = await startHost({ store: host.store })
    await other.call(getUtcNow, { apiKey })
    await revoke(keyId)
    expect(await problemOf(other.call(getUtcNow, { apiKey }))).toBe('unauthenticated')
    await other.close()
  })

  test('are limited to their scopes', async () => {
    const none = await create('None', [])
    await host.call(getUtcNow, { apiKey: none.apiKey })
    expect(await problemOf(host.call(getToken, { query: {}, apiKey: none.apiKey }))).toBe('forbidden')
    const all = await create('Everything else', ['configure', 'analyse', 'tokens'])
    expect(await problemOf(host.call(getKeys, { apiKey: all.apiKey }))).toBe('forbidden')
    const { token } = await host.call(getToken, { query: {} })
    expect(await problemOf(host.call(getKeys, { bearer: token }))).toBe('unauthenticated')
  })
})

describe('DELETE /v1/account/revoke-key', () => {
  test('keeps one key that may administer', async () => {
    const own = await startHost()
    const only = (await keys(own))[0]!.keyId
    const { keyId: webhooks } = await own.call(createKey, { body: { name: 'Webhooks', scopes: [] } })
    await own.call(setPrimaryKey, { body: { keyId: webhooks } })
    const last = own.call(revokeKey, { query: { keyId: only } })
    await expect(last).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('last') })
    const { apiKey } = await own.call(createKey, { body: { name: 'New admin', scopes: ['admin'] } })
    await own.call(revokeKey, { query: { keyId: only } })
    expect(await problemOf(own.call(getKeys, {}))).toBe('unauthenticated')
    expect((await own.call(getKeys, { apiKey })).keys).toHaveLength(3)
    await own.close()
  })

  test('keeps one, even when two revoke each other at once', async () => {
    const own = await startHost()
    const first = (await keys(own))[0]!.keyId
    const { keyId: webhooks } = await own.call(createKey, { body: { name: 'Webhooks', scopes: [] } })
    await own.call(setPrimaryKey, { body: { keyId: webhooks } })
    const second = await own.call(createKey, { body: { name: 'Second', scopes: ['admin'] } })
    const outcomes = await Promise.all([
      problemOf(own.services.accounts.keys.revoke(own.accountId, first)),
      problemOf(own.services.accounts.keys.revoke(own.accountId, second.keyId)),
    ])
    expect(outcomes.sort()).toEqual(['conflict', 'no problem'])
    await own.close()
  })

  test('refuses the primary key', async () => {
    const { account } = await host.call(getAccount, {})
    expect(await problemOf(revoke(account.primaryKeyId))).toBe('conflict')
  })
})

describe('the primary key', () => {
  async function keyInWebhook(own: Host): Promise<unknown> {
    const receiver = await startReceiver()
    const webhookConfig = { eventCallbackUrl: receiver.address }
    const opened = await openSession(own, await newVerification(own, { webhookConfig }))
    await submit(own, opened, { person: 'anna' })
    await own.services.deliveries.settle()
    receiver.close()
    return receiver.received[0]!.headers['x-api-key']
  }

  test('is the first one until an admin chooses another, and can be switched off', async () => {
    const own = await startHost()
    expect(await keyInWebhook(own)).toBe(own.apiKey)
    const made = await own.call(createKey, { body: { name: 'Webhooks', scopes: [] } })
    expect(await own.call(setPrimaryKey, { body: { keyId: made.keyId } })).toEqual({ keyId: made.keyId })
    expect(await keyInWebhook(own)).toBe(made.apiKey)
    expect((await keys(own)).filter(({ isPrimary }) => isPrimary)).toMatchObject([{ keyId: made.keyId }])
    await own.call(updateAccount, { body: { webhookCarriesKey: false } })
    expect(await keyInWebhook(own)).toBeUndefined()
    await own.close()
  })

  test('has no scopes if the account of a deployment begins so, also in webhooks', async () => {
    const own = await startHost()
    const { accounts } = own.services
    const made = (await accounts.createOnce('begun', 'Begun', { hasWebhookKey: true }))!
    const listed = await accounts.keys.list(made.account.accountId)
    expect(listed.map(({ name, scopes }) => [name, scopes.length > 0])).toEqual(
      expect.arrayContaining([
        ['First key', true],
        ['Webhooks', false],
      ]),
    )
    const { key, value } = (await accounts.keys.primary(made.account))!
    expect([key.name, value]).toEqual(['Webhooks', made.webhookKey])
    expect(await problemOf(own.call(getAccount, { apiKey: value }))).toBe('forbidden')
    const receiver = await startReceiver()
    const webhookConfig = { eventCallbackUrl: receiver.address }
    const as = { apiKey: made.apiKey }
    const body = { name: 'Hooked', verificationConfig: { webhookConfig } }
    const { verificationId } = await own.call(createVerification, { ...as, body })
    const asked = { ...as, body: { verificationId } }
    const { verificationSessionId } = await own.call(createSession, asked)
    await own.call(cancelSession, { ...as, body: { verificationSessionId } })
    await own.services.deliveries.settle()
    expect(receiver.received[0]!.headers['x-api-key']).toBe(made.webhookKey)
    receiver.close()
    const former = (await accounts.createOnce('former', 'Former', { hasWebhookKey: false }))!
    expect(former.webhookKey).toBeUndefined()
    expect((await accounts.keys.primary(former.account))!.value).toBe(former.apiKey)
    await own.close()
  })

  test('causes a warning if it may administer and webhooks carry it', async () => {
    const own = await startHost()
    const { accounts } = own.services
    expect(await accounts.keys.anyWebhookCarriesAdmin()).toBe(true)
    await own.call(updateAccount, { body: { webhookCarriesKey: false } })
    expect(await accounts.keys.anyWebhookCarriesAdmin()).toBe(false)
    await own.call(updateAccount, { body: { webhookCarriesKey: true } })
    const { keyId } = await own.call(createKey, { body: { name: 'Webhooks', scopes: [] } })
    await own.call(setPrimaryKey, { body: { keyId } })
    expect(await accounts.keys.anyWebhookCarriesAdmin()).toBe(false)
    await own.close()
  })

  test('cannot be one of another account', async () => {
    const { apiKey } = await host.services.accounts.create('Other')
    const { account } = await host.call(getAccount, {})
    const body = { keyId: account.primaryKeyId }
    expect(await problemOf(host.call(setPrimaryKey, { body, apiKey }))).toBe('not_found')
    expect(await problemOf(revoke(account.primaryKeyId, apiKey))).toBe('not_found')
  })
})
