import { expect, test } from 'vitest'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { nextOrder, orderText, readOrder, secondsOf, sorted } from '#web/console/sessions/sorting.ts'

const session = (verificationSessionId: string, more: Partial<ListedSession>) =>
  ({
    verificationSessionId,
    externalId: null,
    assurance: null,
    tries: 1,
    createdAt: '2026-01-01T00:00:00Z',
    completedAt: null,
    outcome: 'open',
    ...more,
  }) as ListedSession

const ids = (rows: readonly ListedSession[]) => rows.map(({ verificationSessionId: id }) => id).join('')

test('rows are sorted either way, by number if there are digits, and those without a value come last', () => {
  const rows = [
    session('a', { externalId: 'user-10', assurance: 'standard' }),
    session('b', { externalId: 'user-9', assurance: 'none' }),
    session('c', {}),
    session('d', {
      externalId: 'user-9',
      assurance: 'high',
      completedAt: '2026-01-01T00:00:30Z',
      outcome: 'passed',
    }),
  ]
  expect(ids(sorted(rows, undefined, 'en'))).toBe('abcd')
  expect(ids(sorted(rows, { by: 'person', isDescending: false }, 'en'))).toBe('bdac')
  expect(ids(sorted(rows, { by: 'person', isDescending: true }, 'en'))).toBe('abdc')
  expect(ids(sorted(rows, { by: 'assurance', isDescending: true }, 'en'))).toBe('dabc')
  expect(ids(sorted(rows, { by: 'took', isDescending: false }, 'en'))).toBe('dabc')
  expect(ids(rows)).toBe('abcd')
})

test('only a verdict on pictures took time', () => {
  const times = { createdAt: '2026-01-01T00:00:00Z', completedAt: '2026-01-01T00:15:25Z' }
  expect(secondsOf({ ...times, outcome: 'failed' })).toBe(925)
  expect(secondsOf({ ...times, outcome: 'passed' })).toBe(925)
  expect(secondsOf({ ...times, outcome: 'left' })).toBeNull()
  expect(secondsOf({ ...times, outcome: 'expired' })).toBeNull()
})

test('a click on a header cycles up, down, and back', () => {
  const up = nextOrder(undefined, 'tries')
  expect(up).toEqual({ by: 'tries', isDescending: false })
  const down = nextOrder(up, 'tries')
  expect(down).toEqual({ by: 'tries', isDescending: true })
  expect(nextOrder(down, 'tries')).toBeUndefined()
  expect(nextOrder(down, 'time')).toEqual({ by: 'time', isDescending: false })
})

test('an order is in the address, and an invalid one is ignored', () => {
  for (const text of ['time', '-took']) expect(orderText(readOrder(text)!)).toBe(text)
  expect([readOrder(undefined), readOrder(''), readOrder('--time'), readOrder('name')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
