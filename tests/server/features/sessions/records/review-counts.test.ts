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
  const none = { secondOpinions: 0, agreed: 0 }
  expect((await list('a', 10 * day, 12 * day)).reviewers).toEqual([
    { by: 'Kim / Lee', passed: 1, failed: 1, ...none },
    { by: 'Jo', passed: 1, failed: 0, ...none },
  ])
  expect((await list('b', 10 * day, 12 * day)).reviewers).toEqual([])
  const keys: string[] = []
  for await (const { key } of memory.list('')) keys.push(decodeURIComponent(key))
  expect(keys).toHaveLength(4)
  expect(keys.join()).not.toMatch(/Kim|Jo/)
})

test('second opinions are counted on their day for the reviewer who decided, and overall', async () => {
  const store = createMemoryStore()
  const { countOpinion, list } = createReviewCounts(store, keyRing)
  const opine = (by: string, [first, second]: ['Pass' | 'Fail', 'Pass' | 'Fail'], more: 1 | -1 = 1) => {
    const given = { decision: second, by: 'Max', givenAt: new Date(10 * day).toISOString() }
    return store.commit([countOpinion('a', { given, about: { decision: first, by } }, more)], [])
  }
  await opine('Kim', ['Pass', 'Pass'])
  await opine('Kim', ['Fail', 'Fail'])
  await opine('Kim', ['Pass', 'Fail'])
  await opine('Jo', ['Fail', 'Pass'])
  await opine('Jo', ['Pass', 'Fail'])
  await opine('Jo', ['Pass', 'Fail'], -1)
  expect(await list('a', 10 * day, 11 * day)).toEqual({
    reviewers: [
      { by: 'Jo', passed: 0, failed: 0, secondOpinions: 1, agreed: 0 },
      { by: 'Kim', passed: 0, failed: 0, secondOpinions: 3, agreed: 2 },
    ],
    agreement: { secondOpinions: 4, agreed: 2, passedThenFailed: 1, failedThenPassed: 1 },
  })
  expect((await list('a', 11 * day, 12 * day)).agreement.secondOpinions).toBe(0)
})
