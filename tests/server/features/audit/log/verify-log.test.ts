import { expect, test } from 'vitest'
import type { LogBook } from '#server/features/audit/log/log-book.ts'
import type { LogEnd } from '#server/features/audit/log/log-end.ts'
import { verifyWhole } from '#server/features/audit/log/verify-log.ts'

/** A log with one entry and segments that are still empty, as it is right before the entry moves there. */
function emptyBook(ends: readonly LogEnd[]) {
  let looks = 0
  const nothing = async function* () {}
  const book = {
    outbox: { after: async () => [] },
    ends: { look: async () => ends[Math.min(looks++, ends.length - 1)]! },
    segments: { ascending: nothing, descending: nothing },
    frames: {},
  } as unknown as LogBook
  return { book, looks: () => looks }
}

const end = (sequence: number): LogEnd => ({ sequence, hash: 'h', key: '00', taken: sequence })

test('a fault of a log at rest is reported at once', async () => {
  const { book, looks } = emptyBook([end(1)])
  expect(await verifyWhole(book, 'shop')).toMatchObject({ valid: false, fault: 'missing' })
  expect(looks()).toBe(3)
})

test('a log that moves meanwhile is verified again, at most five times', async () => {
  const moving = emptyBook(Array.from({ length: 40 }, (_, i) => end(i + 1)))
  expect(await verifyWhole(moving.book, 'shop')).toMatchObject({ valid: false })
  expect(moving.looks()).toBeGreaterThan(9)
  const resting = emptyBook([end(1), end(1), end(2), end(2)])
  await verifyWhole(resting.book, 'shop')
  expect(resting.looks()).toBe(6)
})
