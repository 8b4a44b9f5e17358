import { expect, test } from 'vitest'
import { duration, exactTime, shortTime } from '#web/console/core/times.ts'

const noon = Date.parse('2026-03-04T12:00:05Z')

test.each([
  [0, '<\u00a01 sec'],
  [0.4, '<\u00a01 sec'],
  [59, '59 sec'],
  [60, '1 min'],
  [61, '1 min 1 sec'],
  [3600, '1 hr'],
  [3725, '1 hr 2 min'],
  [89.6, '1 min 30 sec'],
])('%d seconds are %s', (seconds, words) => {
  expect(duration(seconds, 'en')).toBe(words)
})

test('today’s times have no date, others have one', () => {
  expect(shortTime(noon, noon + 1000, 'de', 'UTC')).toBe('12:00:05')
  expect(shortTime(noon, noon + 24 * 3600_000, 'de', 'UTC')).toMatch(/4\..*12:00/)
})

test('the viewer’s time zone decides which day it is', () => {
  const late = Date.parse('2026-03-04T23:30:00Z')
  expect(shortTime(late, late + 3600_000, 'de', 'UTC')).toMatch(/Mär/)
  expect(shortTime(late, late + 3600_000, 'de', 'Europe/Berlin')).toBe('00:30:00')
})

test('the exact time names the zone', () => {
  expect(exactTime(noon, 'en-GB', 'Europe/Berlin')).toMatch(/13:00:05 (CET|GMT\+1)/)
})

test('a day of another year includes its year, in the viewer’s calendar', () => {
  expect(shortTime(noon, noon + 400 * 24 * 3600_000, 'de', 'UTC')).toMatch(/4\. März 2026.*12:00/)
  expect(shortTime(noon, noon + 24 * 3600_000, 'de', 'UTC')).not.toMatch(/2026/)
  const eve = Date.parse('2026-12-31T23:30:00Z')
  expect(shortTime(eve, eve + 24 * 3600_000, 'de', 'Europe/Berlin')).not.toMatch(/20\d\d/)
})
