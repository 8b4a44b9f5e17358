import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { readStamp } from '#server/platform/store/store-stamp.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { freshLmdbStore, freshMemoryStore } from './fresh-stores.ts'
import { storeConformance } from './store.ts'

storeConformance('memory', freshMemoryStore)
storeConformance('lmdb', freshLmdbStore)

test('an LMDB store keeps its entries when it is reopened', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-store-'))
  const first = openLmdbStore(folder)
  await first.put('a', Uint8Array.of(1, 2, 3))
  await first.close()
  const second = openLmdbStore(folder)
  expect([...(await second.get('a'))!]).toEqual([1, 2, 3])
  await second.close()
  await rm(folder, { recursive: true })
})

test('an LMDB store sees the commit of another process, even within the millisecond of its last read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-store-'))
  const [one, other] = [openLmdbStore(folder), openLmdbStore(folder)]
  const seen: boolean[] = []
  for (let i = 0; i < 50; i++) {
    const told = one.put(`k${i}`, Uint8Array.of(i))
    let isTold = false
    told.then(() => {
      isTold = true
    })
    while (!isTold) {
      await other.get('something else')
      await new Promise(setImmediate)
    }
    seen.push((await other.get(`k${i}`)) !== undefined)
  }
  expect(seen).not.toContain(false)
  await other.close()
  await one.close()
  await rm(folder, { recursive: true })
})

test('a store of one region does not open in another', async () => {
  const store = createMemoryStore()
  await readStamp(store, 'EU')
  await readStamp(store, 'EU')
  await expect(readStamp(store, 'US')).rejects.toThrow('belongs to the region EU')
})

test('a table separates owners and long, unusual ids', async () => {
  const table = createTable<number>(createMemoryStore(), 'picture-log-end')
  const ids = ['x'.repeat(5000), '{}*', 'a/b', '', '\u0000']
  for (const [i, id] of ids.entries()) await table.put('one', id, i)
  await table.put('two', 'a/b', 99)
  // A slash in an owner's name must not move entries to the preceding owner.
  await table.put('two/a', 'b', 100)
  expect(await table.get('two', 'a/b')).toBe(99)
  for (const [i, id] of ids.entries()) expect(await table.get('one', id)).toBe(i)
  const listed: number[] = []
  for await (const value of table.list('one')) listed.push(value)
  expect(listed.sort()).toEqual([0, 1, 2, 3, 4])
})
