import { expect, test } from 'vitest'
import { countKey, createUsageCounts, lengthOf } from '#server/features/sessions/records/usage-counts.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createEntrySeal, createSealedStore } from '#server/platform/store/sealed/sealed-store.ts'
import type { Write } from '#server/platform/store/store.ts'

test('a long list of counts yields after each, and loses none', async () => {
  let pauses = 0
  const turns = { isOver: () => true, next: async () => void pauses++ }
  const seal = createEntrySeal(createKeyRing(Buffer.alloc(32, 7), 'EU'))
  const store = createSealedStore(createMemoryStore(), seal, { turns })
  const hours = 20
  for (let hour = 0; hour < hours; hour++) {
    const at = hour * lengthOf.hour
    const names = Array.from({ length: 20 }, (_, i) => `seconds/${i}`)
    const writes = names.map(
      (name): Write => ({
        kind: 'add',
        key: countKey('a', { at, interval: 'hour', verificationId: 'v', name }),
        more: 1,
        expiresInSeconds: 1000,
      }),
    )
    await store.commit(writes, [])
  }
  let counts = 0
  const range = { interval: 'hour', from: 0, to: hours * lengthOf.hour, isSplit: false } as const
  for await (const { count } of createUsageCounts(store).list('a', range)) counts += count
  expect(counts).toBe(hours * 20)
  expect(pauses).toBe(hours * 20)
})
