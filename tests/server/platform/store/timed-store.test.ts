import { expect, test } from 'vitest'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createSteadyStore } from '#server/platform/store/steady-store.ts'
import type { Store } from '#server/platform/store/store.ts'
import { timedStore } from '#server/platform/store/timed-store.ts'

test.each([
  ['a timed', (store: Store) => timedStore(store, 'lmdb', () => undefined)],
  ['a steady', (store: Store) => createSteadyStore(store, { onChange: () => {} })],
])('%s store passes on the batches of the one behind it, if that has any', async (_name, wrap) => {
  const batches = async function* () {
    yield { bytes: Uint8Array.of(1, 2), ends: Uint32Array.of(2) }
  }
  expect(wrap({ ...createMemoryStore(), batches }).batches).toBe(batches)
  expect(wrap(createMemoryStore()).batches).toBeUndefined()
})

test('each operation is timed by its kind, including failed ones; a list is not', async () => {
  const told: string[] = []
  const memory = createMemoryStore()
  const get = (key: string) => (key === 'bad' ? Promise.reject(new Error('gone')) : memory.get(key))
  const store = timedStore({ ...memory, get }, 'lmdb', (operation) => told.push(operation))
  const value = Buffer.from('a')
  await store.put('a', value)
  expect(await store.putIfAbsent('a', value)).toBe(false)
  expect(await store.commit([], [])).toBe(true)
  await store.remove('a')
  expect(await store.get('a')).toBeUndefined()
  await expect(store.get('bad')).rejects.toThrow('gone')
  for await (const entry of store.list('')) expect(entry).toBeUndefined()
  await store.sweep()
  expect(told).toEqual(['commit', 'commit', 'commit', 'commit', 'get', 'get', 'sweep'])
})
