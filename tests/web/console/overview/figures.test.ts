import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { UsageCounts } from '#shared/contract/sessions/session-usage.ts'
import { figuresOf, queryBefore, readRange, usageQuery } from '#web/console/overview/figures.ts'

const interval = (changes: object) =>
  ({
    from: '2026-01-01T00:00:00Z',
    states: { opened: 5, consented: 4, firstPicture: 4, submitted: 4 },
    reasons: { noFace: 0, lowQuality: 2, ageNotMet: 5 },
    ...changes,
  }) as unknown as UsageCounts

const durations = { p50: 12, p90: 30, p95: 40 }

test('states and reasons are summed up, and totals of the range are unchanged', () => {
  const outcomes = { passed: 9, failed: 3, left: 3, expired: 1 }
  const figures = figuresOf({ intervals: [interval({}), interval({}), interval({})], outcomes, durations })
  expect(figures).toMatchObject({
    since: '2026-01-01T00:00:00Z',
    states: { opened: 15, consented: 12, firstPicture: 12, submitted: 12 },
    passed: 9,
    failed: 3,
    left: 3,
    expired: 1,
    durations,
  })
  expect(figures.passRate!.share).toBe(0.75)
  expect(figures.reasons).toEqual([
    ['ageNotMet', 15],
    ['lowQuality', 6],
  ])
})

test('visits that left are in no pass rate, and without visits there is none', () => {
  const outcomes = { passed: 0, failed: 0, left: 4, expired: 0 }
  expect(figuresOf({ intervals: [interval({})], outcomes, durations }).passRate).toBeNull()
  expect(figuresOf({ intervals: [], outcomes, durations })).toMatchObject({ since: undefined, reasons: [] })
})

test('a range of one’s own has whole UTC days, and an impossible one is seven days', () => {
  const now = new Date('2026-05-20T10:00:00Z')
  expect(readRange({ from: '2026-05-01', to: '2026-05-10' })).toEqual({
    from: '2026-05-01',
    to: '2026-05-10',
  })
  for (const days of [
    { from: '2026-05-10', to: '2026-05-01' },
    { from: '2024-01-01', to: '2026-05-01' },
    { from: 'yesterday', to: '2026-05-01' },
    { from: '2026-05-01', to: '2026-13-01' },
  ])
    expect(readRange(days), JSON.stringify(days)).toBe('days7')
  expect(usageQuery({ from: '2026-05-01', to: '2026-05-10' }, now)).toEqual({
    from: '2026-05-01T00:00:00.000Z',
    to: '2026-05-11T00:00:00.000Z',
    interval: 'day',
  })
  expect(Date.parse(usageQuery({ from: '2026-05-19', to: '2026-05-30' }, now).to)).toBe(now.getTime() + 1000)
})

test('is compared with the same length of time before', () => {
  const query = { from: '2026-05-11T00:00:00.000Z', to: '2026-05-18T00:00:00.000Z' }
  expect(queryBefore(query)).toEqual({ from: '2026-05-04T00:00:00.000Z', to: query.from })
})

const zones = ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York', 'Australia/Adelaide', 'UTC'] as const
const hour = 3_600_000
/** How many intervals get-usage returns. The first one contains `from`. */
const intervalsOf = ({ from, to }: ReturnType<typeof usageQuery>, length: number) =>
  Math.ceil((Date.parse(to) - Math.floor(Date.parse(from) / length) * length) / length)

describe.each(zones)('in %s, whatever the hour,', (zone) => {
  beforeEach(() => {
    vi.stubEnv('TZ', zone)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  const hours = Array.from({ length: 24 }, (_, i) => new Date(Date.UTC(2026, 4, 20, i, 10)))

  test.each([
    ['days7', 7],
    ['days30', 30],
  ] as const)('%s are %d days', (range, days) => {
    expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
    for (const now of hours) {
      const query = usageQuery(range, now)
      expect(query.interval).toBe('day')
      expect(intervalsOf(query, 24 * hour)).toBe(days)
      expect(Date.parse(query.to)).toBeGreaterThan(now.getTime())
    }
  })

  test('today has the hours that began in it, by the local clock', () => {
    for (const now of hours) {
      const query = usageQuery('today', now)
      const midnight = new Date(now).setHours(0, 0, 0, 0)
      const begun = Math.floor(Date.parse(query.from) / hour) * hour
      const isFirstHour = now.getTime() < Math.ceil(midnight / hour) * hour
      expect(query.interval).toBe('hour')
      expect(Date.parse(query.from)).toBeLessThan(Date.parse(query.to))
      expect(begun - midnight).toBeLessThan(hour)
      if (!isFirstHour) expect(begun).toBeGreaterThanOrEqual(midnight)
    }
  })
})
