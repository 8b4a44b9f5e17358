import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAccountSecrets } from '#server/features/accounts/account-secrets.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { loadMasterSecrets } from '#server/platform/store/sealed/master-secret.ts'
import { openRootKey, resealRootKey } from '#server/platform/store/sealed/root-key.ts'
import { putOf } from '#server/platform/store/store.ts'
import { createKey, rotateWebhookSecret } from '#shared/contract/account/account.ts'
import { getSession } from '#shared/contract/sessions/session.ts'
import { type Host, startHost } from '../support/host.ts'
import { newVerification, openSession, problemOf, step, visit } from '../support/visit.ts'

const ring = createKeyRing(Buffer.alloc(32, 1), 'EU')
const content = Buffer.from('secret')

describe('sealed data', () => {
  const sealed = ring.seal('use', 'account/id', content)

  test('opens for the same purpose and place', () => {
    expect(ring.open('use', 'account/id', sealed).toString()).toBe('secret')
  })

  test.each([
    ['another use', () => ring.open('other', 'account/id', sealed)],
    ['another place', () => ring.open('use', 'other/id', sealed)],
    ['another region', () => createKeyRing(Buffer.alloc(32, 1), 'US').open('use', 'account/id', sealed)],
    ['another secret', () => createKeyRing(Buffer.alloc(32, 2), 'EU').open('use', 'account/id', sealed)],
    [
      'a changed byte',
      () => ring.open('use', 'account/id', (sealed.startsWith('A') ? 'B' : 'A') + sealed.slice(1)),
    ],
    ['a missing byte', () => ring.open('use', 'account/id', sealed.slice(0, -2))],
  ])('does not open for %s', (_name, open) => {
    expect(open).toThrow()
  })

  test('never looks the same twice', () => {
    expect(ring.seal('use', 'account/id', content)).not.toBe(sealed)
  })

  test('of one account does not open as that of another, even after it was opened', () => {
    const secrets = createAccountSecrets(ring, Date.now)
    const mine = secrets.seal('signing-key', 'mine', content)
    expect(secrets.open('signing-key', 'mine', mine).toString()).toBe('secret')
    expect(() => secrets.open('signing-key', 'other', mine)).toThrow()
    expect(() => secrets.open('webhook-secret', 'mine', mine)).toThrow()
  })
})

test('no key and no secret is stored in clear text', async () => {
  const host = await startHost()
  const { apiKey } = await host.call(createKey, { body: { name: 'A key', scopes: [] } })
  const { webhookSecret } = await host.call(rotateWebhookSecret, { body: {} })
  const bytes = Buffer.from(webhookSecret.replace('whsec_', ''), 'base64')
  const forms = [
    host.apiKey,
    apiKey,
    webhookSecret.replace('whsec_', ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ]
  for await (const { key, value } of host.store.list('')) {
    const stored = key + Buffer.from(value).toString('latin1')
    for (const form of forms) expect(stored).not.toContain(form)
  }
  await host.close()
})

describe('a session in the store', () => {
  const verifier = { verifierConfigs: { liveness: { type: 'Verification' as const } } }
  const query = 'reExternalId=person-7&reCorrelationId=case-8&mine=value-9'

  async function rawSessions(host: Host): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>()
    for await (const { key, value } of host.store.list('session/')) found.set(key, value)
    return found
  }

  test('does not reveal its person, neither while it is open nor afterwards', async () => {
    const host = await startHost()
    const verificationId = await newVerification(host, verifier)
    const contents = async () => {
      let text = ''
      for await (const { value } of host.store.list('')) text += Buffer.from(value).toString()
      return text
    }
    await step(host, await openSession(host, verificationId, query), 0, { person: 'anna' })
    const { result } = await visit(host, verificationId, { person: 'anna' }, query)
    expect(result).toMatchObject({ correlationId: 'case-8', customInputParameters: { mine: 'value-9' } })
    expect(await contents()).not.toMatch(/person-7|case-8|value-9|estimatedAge|embedding"/)
    await host.close()
  })

  test('does not open as another one', async () => {
    const host = await startHost()
    const verificationId = await newVerification(host, verifier)
    const opened = [await openSession(host, verificationId), await openSession(host, verificationId)]
    const [[one, first], [two, second]] = [...(await rawSessions(host))] as [
      [string, Uint8Array],
      [string, Uint8Array],
    ]
    await host.store.commit([putOf(one, second), putOf(two, first)], [])
    for (const { bearer } of opened)
      expect(await problemOf(host.call(getSession, { bearer }))).toBe('internal_error')
    await host.close()
  })
})

test('the store is in a folder for its owner only, even if it was accessible to others before', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'selfsame-store-'))
  const folder = join(parent, 'store')
  for (const mode of [undefined, 0o755]) {
    if (mode !== undefined) await chmod(folder, mode)
    await openLmdbStore(folder).close()
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  }
  await rm(parent, { recursive: true })
})

describe('the master secret', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selfsame-secret-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const load = (secret?: string, secretPrevious?: string) =>
    loadMasterSecrets({ secret, secretPrevious, folder })
  const [former, present] = ['f'.repeat(32), 'p'.repeat(32)]

  test('is created once, for its owner only, and refused if others may read it', async () => {
    const [[one], [two]] = await Promise.all([load(), load()])
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true)
    expect(one).toHaveLength(32)
    expect(await readdir(folder)).toEqual(['secret'])
    const path = join(folder, 'secret')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await chmod(path, 0o640)
    await expect(load()).rejects.toThrow('readable by its owner only')
  })

  test('that is set takes precedence over the previous one and that of the file', async () => {
    const [ofFile] = await load()
    expect((await load(present, former)).map(String)).toEqual([
      present,
      former,
      Buffer.from(ofFile).toString(),
    ])
  })

  test('can be changed: the previous one opens the store until it is resealed', async () => {
    const store = createMemoryStore()
    const before = await openRootKey(store, 'EU', await load(former))
    await expect(openRootKey(store, 'EU', await load(present))).rejects.toThrow('does not open this store')
    const both = await load(present, former)
    const changed = await openRootKey(store, 'EU', both)
    expect(changed).toEqual({ key: before.key, opensWithFormer: true })
    await resealRootKey(store, 'EU', both)
    expect(await openRootKey(store, 'EU', await load(present))).toEqual({
      key: before.key,
      opensWithFormer: false,
    })
    await expect(openRootKey(store, 'EU', await load(former))).rejects.toThrow('does not open this store')
  })

  test('creates one root key if two processes start at once', async () => {
    const store = createMemoryStore()
    const secrets = await load(present)
    const [one, two] = await Promise.all([
      openRootKey(store, 'EU', secrets),
      openRootKey(store, 'EU', secrets),
    ])
    expect(one).toEqual(two)
  })
})
