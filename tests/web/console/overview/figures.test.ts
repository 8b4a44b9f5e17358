import { expect, test } from 'vitest'
import type { UsageCounts } from '#shared/contract/sessions/session-usage.ts'
import { sumUp, usageQuery } from '#web/console/overview/figures.ts'

const interval = (changes: object) =>
  ({
    from: '2026-01-01T00:00:00Z',
    states: { opened: 4, consented: 3, firstPicture: 2, submitted: 1 },
    results: { Pass: 3, Fail: 1 },
    reasons: { noFace: 0, lowQuality: 2, ageNotMet: 5 },
    medianDurationInSeconds: 10,
    ...changes,
  }) as unknown as UsageCounts

test('intervals are summed up', () => {
  const figures = sumUp([
    interval({}),
    interval({ medianDurationInSeconds: 30 }),
    interval({ medianDurationInSeconds: null }),
  ])
  expect(figures).toMatchObject({
    opened: 12,
    consented: 9,
    firstPicture: 6,
    submitted: 3,
    passed: 9,
    failed: 3,
    passRate: 0.75,
    medianSeconds: 20,
  })
  expect(figures.reasons).toEqual([
    ['ageNotMet', 15],
    ['lowQuality', 6],
  ])
})

test('of nothing there is no rate and no median', () => {
  const nothing = interval({ results: { Pass: 0, Fail: 0 }, medianDurationInSeconds: null })
  expect(sumUp([nothing])).toMatchObject({ passRate: null, medianSeconds: null })
  expect(sumUp([])).toMatchObject({ opened: 0, reasons: [] })
})

test.each([
  ['today', 'hour', 0],
  ['days7', 'day', 6],
  ['days30', 'day', 29],
] as const)('%s asks for each %s, from the midnight %d days ago', (range, interval, daysAgo) => {
  const now = new Date(2026, 4, 20, 15, 30)
  const query = usageQuery(range, now)
  expect(query.interval).toBe(interval)
  expect(new Date(query.from).getTime()).toBe(new Date(2026, 4, 20 - daysAgo).getTime())
  expect(Date.parse(query.to)).toBeGreaterThan(now.getTime())
})
