import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createReadyz } from '#server/app/readiness.ts'
import { readSettings } from '#server/app/settings.ts'
import { productVersion } from '#server/platform/running/product-version.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import { outgrown, readStamp, storeFormat } from '#server/platform/store/store-stamp.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'

const settings = readSettings({ SECRET: 's'.repeat(40), DATA_DIR: '/nowhere' })

async function stamp(store: Store, format: number, leastReader: number): Promise<void> {
  const later = { format, leastReader, region: 'EU', program: '7.0.0' }
  await createTable(store, 'store-stamp').put(deployment, 'stamp', later)
}

test('the version of the program is that of the package', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(productVersion)
})

test('a new store has the format of the program, and keeps it', async () => {
  const store = createMemoryStore()
  expect(await readStamp(store, 'EU')).toMatchObject({ format: storeFormat })
  expect(await readStamp(store, 'EU')).toMatchObject({ format: storeFormat })
})

test('a store that requires a later program stops the start, with a reason', async () => {
  const store = createMemoryStore()
  await openKeyRing(store, settings)
  await stamp(store, storeFormat + 1, storeFormat + 1)
  const refused = openKeyRing(store, settings)
  await expect(refused).rejects.toThrow(/format 4, which Selfsame 7\.0\.0 wrote.*Start the later program/)
})

test('a store of a later program that this one can still read is opened, and keeps its stamp', async () => {
  const store = createMemoryStore()
  await openKeyRing(store, settings)
  await stamp(store, storeFormat + 1, storeFormat)
  await openKeyRing(store, settings)
  expect(await readStamp(store, 'EU')).toMatchObject({ format: storeFormat + 1 })
})

test('a store from before the first release is refused with a reason, and nothing is written', async () => {
  const store = createMemoryStore()
  await stamp(store, 2, 2)
  const before = await allOf(store.list(''))
  await expect(openKeyRing(store, settings)).rejects.toThrow('format 2, which no release of Selfsame wrote')
  expect(await allOf(store.list(''))).toEqual(before)
})

test('a server whose store is upgraded by a later program reports it in readyz', async () => {
  const store = createMemoryStore()
  await openKeyRing(store, settings)
  const tokenKeys = { current: async () => ({}) } as never
  const readyz = createReadyz({ store, tokenKeys, phase: () => 'serving' })
  expect(await readyz({} as never)).toMatchObject({ ready: true })
  expect(await outgrown(store)).toBeUndefined()
  await stamp(store, 9, 9)
  await expect(readyz({} as never)).rejects.toThrow('Start the later program')
})
