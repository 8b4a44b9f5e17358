import { expect, test } from 'vitest'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { batchesOf, batchesOfList, valuesOf } from '#server/platform/store/batches/batches.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createEntrySeal, createSealedStore } from '#server/platform/store/sealed/sealed-store.ts'
import { storeConformance } from '../conformance/store.ts'

const keyRing = createKeyRing(Buffer.alloc(32, 3), 'EU')
const seal = createEntrySeal(keyRing)
const value = Buffer.from('{"name":"Opening an account"}')

storeConformance('sealed', async (now) => {
  const store = createSealedStore(createMemoryStore(now), seal)
  return { store, dispose: () => store.close() }
})

test('a sealed store lists values decrypted; faces, which it does not seal, are passed through', async () => {
  const asked: string[] = []
  const behind = createMemoryStore()
  const store = createSealedStore(
    {
      ...behind,
      batches(prefix) {
        asked.push(prefix)
        return batchesOfList(behind.list(prefix))
      },
    },
    seal,
  )
  for (const key of ['verification/a', 'face/a', 'facet/a']) await store.put(key, value)
  for (const prefix of ['verification/', 'face/', 'facet/', 'face'])
    for await (const batch of batchesOf(store, prefix))
      for (const found of valuesOf(batch)) expect(Buffer.from(found)).toEqual(value)
  expect(asked).toEqual(['face/'])
})

test('the store behind a sealed one contains nothing in clear text', async () => {
  const behind = createMemoryStore()
  const store = createSealedStore(behind, seal)
  await store.put('verification/a', value)
  const stored = Buffer.from((await behind.get('verification/a'))!)
  expect(stored.includes('account')).toBe(false)
  expect(stored.length).toBe(value.length + 29)
})

test.each([
  ['altered', 'verification/a', (stored: Buffer) => stored.fill(7, 20, 21)],
  ['moved to another place', 'verification/b', (stored: Buffer) => stored],
  ['written in the clear', 'verification/a', () => value],
  ['cut off', 'verification/a', (stored: Buffer) => stored.subarray(0, 12)],
])('a record that was %s is not read', async (_name, key, change) => {
  const behind = createMemoryStore()
  await createSealedStore(behind, seal).put('verification/a', value)
  const stored = Buffer.from((await behind.get('verification/a'))!)
  await behind.put(key, change(stored))
  await expect(createSealedStore(behind, seal).get(key)).rejects.toThrow('altered')
})

test('a record of another region or secret is not read', async () => {
  const behind = createMemoryStore()
  await createSealedStore(behind, seal).put('verification/a', value)
  for (const other of [createKeyRing(Buffer.alloc(32, 3), 'US'), createKeyRing(Buffer.alloc(32, 4), 'EU')]) {
    await expect(createSealedStore(behind, createEntrySeal(other)).get('verification/a')).rejects.toThrow()
  }
})

test('a cached record is not trusted after it was altered', async () => {
  const behind = createMemoryStore()
  const store = createSealedStore(behind, seal)
  await store.put('account/a', value)
  expect(Buffer.from((await store.get('account/a'))!).equals(value)).toBe(true)
  const stored = Buffer.from((await behind.get('account/a'))!)
  await behind.put('account/a', stored.fill(7, 20, 21))
  await expect(store.get('account/a')).rejects.toThrow('altered')
})
