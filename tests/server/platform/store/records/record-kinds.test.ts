import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fixtureSettings } from '#lab/fixtures/contents.ts'
import { readSettings } from '#server/app/settings.ts'
import { faceForms } from '#server/features/recognition/faces/stored-face.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import {
  kindOf,
  kindsOfOwnForm,
  type RecordKind,
  readableSchemas,
} from '#server/platform/store/records/record-kinds.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { createEntrySeal } from '#server/platform/store/sealed/sealed-store.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { contentsOf, putStoreFile } from '../../../../processes/former-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'selfsame-kinds-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const settings = readSettings({ ...fixtureSettings, DATA_DIR: folder })

/** What a former program kept, as it was when it was done. */
async function entriesOf(name: string): Promise<Store> {
  const dataDir = join(folder, name)
  putStoreFile(name, dataDir)
  const { madeAt } = contentsOf(name)
  const file = openLmdbStore(join(dataDir, 'store'), () => madeAt)
  const store = createMemoryStore()
  for await (const { key, value } of file.list('')) await store.put(key, Buffer.from(value))
  await file.close()
  return store
}

async function stateOf(store: Store): Promise<string[]> {
  const lines: string[] = []
  for await (const { key, value } of store.list(''))
    lines.push(`${key} ${Buffer.from(value).toString('hex')}`)
  return lines
}

test.each(['cf9e140.lmdb', '1ffbd2e.lmdb', 'cf9e140-1ffbd2e.lmdb'])(
  'every schema that stands in a store of a former program has a reader: %s',
  async (name) => {
    const store = await entriesOf(name)
    const { keyRing } = await openKeyRing(store, settings, { forms: faceForms })
    const seal = createEntrySeal(keyRing)
    const found = new Set<string>()
    for await (const { key, value } of store.list('')) {
      const kind = kindOf(key)
      if ((kindsOfOwnForm as readonly string[]).includes(kind)) continue
      const bytes = tryOrUndefined(() => seal.open(key, value)) ?? value
      const { schema } = JSON.parse(Buffer.from(bytes).toString()) as { schema: number }
      found.add(`${kind} ${schema}`)
      expect([kind, readableSchemas[kind]]).toEqual([kind, expect.arrayContaining([schema])])
    }
    expect(found.size).toBeGreaterThan(30)
    if (name.startsWith('cf9e140')) expect([...found]).toContain('collection 2')
  },
)

test.each([
  ['of a schema that nobody knows', 'verification/a/b', '{"schema":9,"value":"hidden word"}'],
  ['of a kind that nobody knows', 'unheard-of/a/b', '{"schema":1,"value":"hidden word"}'],
  ['that is damaged', 'collection/a/b', '{"schema":1,"va'],
  ['of a face that is none', 'face/a/b', 'hidden word'],
])(
  'a former store with a record %s is refused in words, and nothing is written',
  async (_what, key, text) => {
    const store = await entriesOf('cf9e140.lmdb')
    await store.put(key, Buffer.from(text))
    const before = await stateOf(store)
    const refused = await openKeyRing(store, settings, { forms: faceForms }).catch(
      (error: Error) => error.message,
    )
    expect(refused).toContain(`cannot read (${kindOf(key)}: 1). Nothing was changed`)
    expect(refused).not.toContain('hidden word')
    expect(await stateOf(store)).toEqual(before)
  },
)

test('a former store with faces is refused by a program that does not know how they are kept', async () => {
  const store = await entriesOf('cf9e140.lmdb')
  const before = await stateOf(store)
  await expect(openKeyRing(store, settings)).rejects.toThrow(/cannot read \(face: \d+\)/)
  expect(await stateOf(store)).toEqual(before)
})

test('a store whose key is gone is refused, and gets no other', async () => {
  const store = await entriesOf('cf9e140.lmdb')
  await createTable(store, 'root-key').remove(deployment, 'root')
  const before = await stateOf(store)
  await expect(openKeyRing(store, settings, { forms: faceForms })).rejects.toThrow('no key that opens them')
  expect(await stateOf(store)).toEqual(before)
})

test('a store of accounts that does not say what it is is taken for no new one', async () => {
  const store = await entriesOf('cf9e140.lmdb')
  await createTable(store, 'region').remove(deployment, 'region')
  const before = await stateOf(store)
  await expect(openKeyRing(store, settings, { forms: faceForms })).rejects.toThrow('Nothing was changed')
  expect(await stateOf(store)).toEqual(before)
})

test('records of builds before 0.1.0 that 0.1.0 read are read', async () => {
  const store = createMemoryStore()
  const put = (kind: string, value: unknown) =>
    store.put(kind, Buffer.from(JSON.stringify({ schema: 1, value })))
  const keys: string[] = []
  const table = (kind: RecordKind) => createTable<Record<string, unknown>>(store, kind)
  for (const kind of ['collection', 'nonce', 'account', 'delivery'] as const) {
    await table(kind).put('owner', 'id', {})
    for await (const { key } of store.list(`${kind}/`)) keys.push(key)
  }
  await put(keys[0]!, { revision: '00000000000affffffffffffffffffff' })
  await put(keys[1]!, true)
  await put(keys[2]!, { name: 'Old' })
  await put(keys[3]!, { created: '2026-01-01T00:00:00.000Z', verificationSessionId: 's' })
  expect(await table('collection').get('owner', 'id')).toEqual({ revision: 10 })
  expect(await table('nonce').get('owner', 'id')).toEqual({ sessionId: '', opener: null })
  expect(await table('account').get('owner', 'id')).toEqual({ name: 'Old', logo: null })
  expect(await table('delivery').get('owner', 'id')).toMatchObject({
    event: 'VerificationCompleted',
    endpointId: null,
    verificationSessionId: 's',
    occurredAt: '2026-01-01T00:00:00.000Z',
  })
})
