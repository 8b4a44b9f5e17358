import { expect, test } from 'vitest'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { countOf } from '#server/platform/store/counts.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { countKinds } from '#server/platform/store/records/record-kinds.ts'
import { createEntrySeal, createSealedStore } from '#server/platform/store/sealed/sealed-store.ts'

const seal = createEntrySeal(createKeyRing(Buffer.alloc(32, 7), 'EU'))

test('a list checks after each entry whether its turn is over, and continues in the next one', async () => {
  let asked = 0
  let pauses = 0
  const turns = {
    isOver: () => ++asked % 10 === 0,
    next: async () => void pauses++,
  }
  const store = createSealedStore(createMemoryStore(), seal, { turns })
  for (let i = 0; i < 100; i++) await store.put(`kind/${i}`, Buffer.from([i]))
  const found: number[] = []
  for await (const { value } of store.list('kind/')) found.push(value[0]!)
  expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i))
  expect([asked, pauses]).toEqual([100, 10])
})

test('lists of unsealed kinds yield as well', async () => {
  let pauses = 0
  const turns = { isOver: () => true, next: async () => void pauses++ }
  const store = createSealedStore(createMemoryStore(), seal, { turns })
  for (let i = 0; i < 5; i++) await store.put(`session-row/${i}`, Buffer.from([i]))
  for await (const _entry of store.list('session-row/'));
  expect(pauses).toBe(5)
})

test.each(countKinds)('a count of the kind %s is added up and read', async (kind) => {
  const store = createSealedStore(createMemoryStore(), seal)
  const add = { kind: 'add', key: `${kind}/a`, more: 2, expiresInSeconds: 60 } as const
  await store.commit([add], [])
  await store.commit([add], [])
  for await (const { value } of store.list(`${kind}/`)) expect(countOf(value)).toBe(4)
  expect(countOf(await store.get(`${kind}/a`))).toBe(4)
})

test('a count of any other kind is refused, because it could not be read', async () => {
  const store = createSealedStore(createMemoryStore(), seal)
  const add = { kind: 'add', key: 'session/a', more: 1, expiresInSeconds: 60 } as const
  await expect(store.commit([add], [])).rejects.toThrow('session is not among the kinds of counts')
})
