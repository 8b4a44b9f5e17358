import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createVerificationStore } from '#server/features/verifications/verification-store.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createKey } from '#shared/contract/account/account.ts'
import {
  createOrUpdateVerification,
  createVerification,
  deleteVerification,
  getVerificationVersions,
  mostVersions,
  updateVerification,
  type VerificationDetail,
} from '#shared/contract/configuration/verification.ts'
import { scopes } from '#shared/endpoint.ts'
import { signedInAs } from '../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { problemOf } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

let names = 0
const create = async (verificationConfig = {}) => {
  const name = `kept ${++names}`
  return { name, ...(await host.call(createVerification, { body: { name, verificationConfig } })) }
}
const update = (verificationId: string, change: object, credential = {}) =>
  host.call(updateVerification, { body: { verificationId, ...change }, ...credential })
const versionsOf = async (verificationId: string, credential = {}) =>
  (await host.call(getVerificationVersions, { query: { verificationId }, ...credential })).versions
const tries = (attempts: number) => ({ verificationConfig: { retryConfig: { attempts } } })
const signed = { securityConfig: { forceSignedInput: true } }

describe('GET /v1/verification/get-versions', () => {
  test('lists each change with its author, the newest first', async () => {
    const { verificationId, name } = await create()
    const { keyId, apiKey } = await host.call(createKey, { body: { name: 'Other', scopes: [...scopes] } })
    await update(verificationId, tries(1), { apiKey })
    await host.call(createOrUpdateVerification, { body: { name, ...tries(0) } })
    const versions = await versionsOf(verificationId)
    expect(
      versions.map(({ version, name: called, verificationConfig }) => [version, called, verificationConfig]),
    ).toEqual([
      [3, name, { retryConfig: { attempts: 0 }, ...signed }],
      [2, name, { retryConfig: { attempts: 1 }, ...signed }],
      [1, name, signed],
    ])
    const [third, second, first] = versions
    expect(second!.by).toBe(keyId)
    expect(first!.by).toBe(third!.by)
    expect(first!.by).not.toBe(keyId)
    expect(Date.parse(third!.time)).toBeGreaterThan(Date.parse(second!.time))
  })

  test('names the person who changed it in the console', async () => {
    const { verificationId } = await create()
    const ada = await signedInAs(host, 'developer', 'Ada')
    const answer = await ada.ask(updateVerification, { verificationId, ...tries(1) })
    expect(answer.status).toBe(200)
    expect((await versionsOf(verificationId))[0]!.by).toBe('Ada')
  })

  test('lists a new name, and omits a change without an effect', async () => {
    const { verificationId, name } = await create()
    await update(verificationId, { name: `${name} anew` })
    await update(verificationId, { name: `${name} anew` })
    await update(verificationId, {})
    expect((await versionsOf(verificationId)).map((one) => [one.version, one.name])).toEqual([
      [2, `${name} anew`],
      [1, name],
    ])
  })

  test('goes back by writing an earlier configuration, which is another version', async () => {
    const { verificationId } = await create()
    await update(verificationId, tries(0))
    const first = (await versionsOf(verificationId)).at(-1)!
    await update(verificationId, { verificationConfig: first.verificationConfig })
    const [latest] = await versionsOf(verificationId)
    expect([latest!.version, latest!.verificationConfig]).toEqual([3, first.verificationConfig])
  })

  test(`keeps ${mostVersions} and forgets the oldest`, async () => {
    const { verificationId } = await create()
    for (let i = 1; i < mostVersions; i++) await update(verificationId, tries(i % 3))
    expect(await versionsOf(verificationId)).toHaveLength(mostVersions)
    await update(verificationId, tries(mostVersions % 3))
    const kept = (await versionsOf(verificationId)).map(({ version }) => version)
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([mostVersions, mostVersions + 1, 2])
  })

  test('has nothing of a removed verification, nor of another account', async () => {
    const { verificationId } = await create()
    const { apiKey } = await host.services.accounts.create('Stranger')
    expect(await problemOf(versionsOf(verificationId, { apiKey }))).toBe('not_found')
    await host.call(deleteVerification, { query: { verificationId } })
    expect(await problemOf(versionsOf(verificationId))).toBe('not_found')
  })
})

describe('the records', () => {
  const detail = (over: Partial<VerificationDetail> = {}): VerificationDetail => ({
    verificationId: 'v',
    name: 'Door',
    created: '2026-01-01T00:00:00.000Z',
    lastModified: '2026-01-01T00:00:00.000Z',
    verificationConfig: {},
    policyVersion: '1',
    writtenUnder: '1',
    ...over,
  })
  const nothing = { writes: [], guards: [] }
  const recordsOf = async (store: ReturnType<typeof createMemoryStore>) => {
    const keys: string[] = []
    for await (const { key } of store.list('verification-version/')) keys.push(key)
    return keys
  }

  test('of a verification that is older than versions begin with its current state, without an author', async () => {
    const store = createMemoryStore()
    const kept = createVerificationStore(store)
    await kept.add('a', detail(), nothing, 'key')
    for (const key of await recordsOf(store)) await store.remove(key)
    expect(await kept.versions('a', detail())).toMatchObject([{ version: 1, by: null, name: 'Door' }])
    const before = (await kept.read('a', 'v'))!
    const after = detail({ name: 'Gate', lastModified: '2026-02-01T00:00:00.000Z' })
    expect(await kept.replace('a', before, after, 'Ada')).toBe(true)
    expect(await kept.versions('a', after)).toMatchObject([
      { version: 2, by: 'Ada', name: 'Gate', time: after.lastModified },
      { version: 1, by: null, name: 'Door', time: before.value.lastModified },
    ])
  })

  test('are deleted with the verification', async () => {
    const store = createMemoryStore()
    const kept = createVerificationStore(store)
    await kept.add('a', detail(), nothing, 'key')
    await kept.replace('a', (await kept.read('a', 'v'))!, detail({ name: 'Gate' }), 'key')
    expect(await recordsOf(store)).toHaveLength(2)
    await kept.remove('a', (await kept.read('a', 'v'))!, nothing)
    expect(await recordsOf(store)).toEqual([])
  })
})
