import { expect, test } from 'vitest'
import { createSharedValues } from '#server/features/sessions/listing/shared-values.ts'
import type { SessionStanding } from '#server/features/sessions/records/session-row.ts'

const failed: SessionStanding = {
  state: 'Completed',
  result: 'Fail',
  reasons: ['noFace', 'lowQuality'],
  outcome: 'failed',
  review: 'waiting',
  doubt: 110,
  came: 3,
  assignedTo: null,
}

test('equal values share one object, and different ones do not', () => {
  const { standing } = createSharedValues()
  const first = standing({ ...failed })
  expect(standing({ ...failed, reasons: ['noFace', 'lowQuality'] })).toBe(first)
  const others: Partial<SessionStanding>[] = [
    { state: 'Expired' },
    { result: 'Pass' },
    { result: null },
    { reasons: ['noFace'] },
    { reasons: null },
    { review: 'reviewed' },
    { review: null },
    { doubt: 111 },
    { came: 2 },
    { outcome: 'left' },
    { assignedTo: 'Kim' },
  ]
  for (const other of others) {
    const stood = { ...failed, ...other }
    expect(standing(stood)).toBe(stood)
  }
})

test('a name is kept unchanged, and none stays none', () => {
  const { name } = createSharedValues()
  expect([name('a'), name('a'), name('b'), name(null)]).toEqual(['a', 'a', 'b', null])
})
