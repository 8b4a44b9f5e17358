import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixtureSettingsIn } from '#lab/fixtures/contents.ts'
import { readSettings } from '#server/app/settings.ts'
import { jsonCodec } from '#server/platform/store/codec.ts'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { kindOf, kindsOfOwnForm, plainKinds } from '#server/platform/store/records/record-kinds.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { unpackFixture } from '../../../../processes/released-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'selfsame-kinds-'))
const settings = readSettings(fixtureSettingsIn(folder, 'lmdb'))
const released = createMemoryStore()
beforeAll(async () => {
  const { madeAt } = unpackFixture('0.2.0', 'lmdb', folder)
  const file = openLmdbStore(join(folder, 'store'), () => madeAt)
  for await (const { key, value } of file.list('')) await released.put(key, Buffer.from(value))
  await file.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A copy of the records from 0.2.0. */
async function releasedStore(): Promise<Store> {
  const store = createMemoryStore()
  for await (const { key, value } of released.list('')) await store.put(key, value)
  return store
}

async function stateOf(store: Store): Promise<string[]> {
  const lines: string[] = []
  for await (const { key, value } of store.list(''))
    lines.push(`${key} ${Buffer.from(value).toString('hex')}`)
  return lines
}

function sourcesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(path, name), 'utf8'))
}

test('every kind of record that the server keeps is listed', () => {
  const named = sourcesIn('server').flatMap((source) =>
    [...source.matchAll(/createTable(?:<[^;]*?>)?\(\s*\w+,\s*'([\w-]+)'/g)].map(([, kind]) => kind!),
  )
  expect(named.length).toBeGreaterThan(50)
  const listed: readonly string[] = [...plainKinds, ...kindsOfOwnForm]
  expect(named.filter((kind) => !listed.includes(kind))).toEqual([])
})

test('every record of 0.2.0 is of a listed kind, and those of JSON are readable', async () => {
  const { store } = await openKeyRing(await releasedStore(), settings)
  const codec = jsonCodec<unknown>()
  const found = new Set<string>()
  for await (const { key } of released.list('')) {
    const kind = kindOf(key)
    found.add(kind)
    if ((kindsOfOwnForm as readonly string[]).includes(kind)) continue
    expect(plainKinds).toContain(kind)
    expect(codec.decode((await store.get(key))!)).not.toBeUndefined()
  }
  expect(found.size).toBeGreaterThan(60)
})

test('a store whose key is gone is refused, and gets no new one', async () => {
  const store = await releasedStore()
  await createTable(store, 'root-key').remove(deployment, 'root')
  const before = await stateOf(store)
  await expect(openKeyRing(store, settings)).rejects.toThrow('the key that opens them is missing')
  expect(await stateOf(store)).toEqual(before)
})

test('a store with accounts but without a stamp is not mistaken for a new one', async () => {
  const store = await releasedStore()
  await createTable(store, 'store-stamp').remove(deployment, 'stamp')
  const before = await stateOf(store)
  await expect(openKeyRing(store, settings)).rejects.toThrow('Nothing was changed')
  expect(await stateOf(store)).toEqual(before)
})
