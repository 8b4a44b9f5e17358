import { expect, test } from 'vitest'
import { createReviewCounts } from '#server/features/sessions/records/review-counts.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createEntrySeal, createSealedStore } from '#server/platform/store/sealed/sealed-store.ts'

const keyRing = createKeyRing(Buffer.alloc(32, 7), 'EU')
const day = 24 * 3600_000

test('decisions are counted by name behind the seal, and no key of the store shows the name', async () => {
  const memory = createMemoryStore()
  const store = createSealedStore(memory, createEntrySeal(keyRing))
  const { count, list } = createReviewCounts(store, keyRing)
  const decide = (by: string, decision: 'Pass' | 'Fail', at: number, more: 1 | -1 = 1) =>
    store.commit([count('a', { by, decision, reviewedAt: new Date(at).toISOString() }, more)], [])
  await decide('Kim / Lee', 'Pass', 10 * day)
  await decide('Kim / Lee', 'Fail', 11 * day)
  await decide('Jo', 'Pass', 11 * day)
  await decide('Jo', 'Fail', 11 * day)
  await decide('Jo', 'Fail', 11 * day, -1)
  expect(await list('a', 10 * day, 12 * day)).toEqual([
    { by: 'Kim / Lee', passed: 1, failed: 1 },
    { by: 'Jo', passed: 1, failed: 0 },
  ])
  expect(await list('b', 10 * day, 12 * day)).toEqual([])
  const keys: string[] = []
  for await (const { key } of memory.list('')) keys.push(decodeURIComponent(key))
  expect(keys).toHaveLength(4)
  expect(keys.join()).not.toMatch(/Kim|Jo/)
})
