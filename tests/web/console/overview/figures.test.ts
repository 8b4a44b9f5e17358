import { expect, test } from 'vitest'
import type { UsageCounts } from '#shared/contract/sessions/session-usage.ts'
import { figuresOf, usageQuery } from '#web/console/overview/figures.ts'

const interval = (changes: object) =>
  ({
    from: '2026-01-01T00:00:00Z',
    states: { opened: 5, consented: 4, firstPicture: 4, submitted: 4 },
    reasons: { noFace: 0, lowQuality: 2, ageNotMet: 5 },
    ...changes,
  }) as unknown as UsageCounts

const durations = { p50: 12, p90: 30, p95: 40 }

test('states and reasons are summed up, and what is of the whole range is as it came', () => {
  const outcomes = { passed: 9, failed: 3, left: 3 }
  const figures = figuresOf({ intervals: [interval({}), interval({}), interval({})], outcomes, durations })
  expect(figures).toMatchObject({
    since: '2026-01-01T00:00:00Z',
    states: { opened: 15, consented: 12, firstPicture: 12, submitted: 12 },
    passed: 9,
    failed: 3,
    left: 3,
    durations,
  })
  expect(figures.passRate!.share).toBe(0.75)
  expect(figures.reasons).toEqual([
    ['ageNotMet', 15],
    ['lowQuality', 6],
  ])
})

test('who left is in no pass rate, and of nothing there is none', () => {
  const outcomes = { passed: 0, failed: 0, left: 4 }
  expect(figuresOf({ intervals: [interval({})], outcomes, durations }).passRate).toBeNull()
  expect(figuresOf({ intervals: [], outcomes, durations })).toMatchObject({ since: undefined, reasons: [] })
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
