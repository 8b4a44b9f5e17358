import { expect, test } from 'vitest'
import { isSilent, lostCaptures, silentMinutes } from '#web/console/overview/attention.ts'

const now = Date.parse('2026-01-01T12:00:00Z')
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const kiosk = (changes: object) =>
  ({ state: 'Paired', lastSeenUtcTime: ago(1), pairedUtcTime: ago(9999), ...changes }) as never

test.each([
  [{}, false],
  [{ lastSeenUtcTime: ago(silentMinutes - 1) }, false],
  [{ lastSeenUtcTime: ago(silentMinutes) }, true],
  [{ lastSeenUtcTime: null, pairedUtcTime: ago(silentMinutes) }, true],
  [{ lastSeenUtcTime: null, pairedUtcTime: null }, true],
  [{ state: 'Created', lastSeenUtcTime: null }, false],
  [{ state: 'Revoked', lastSeenUtcTime: ago(9999) }, false],
])('%j is silent: %s', (changes, expected) => {
  expect(isSilent(kiosk(changes), now)).toBe(expected)
})

test.each([
  [{ lastSequence: null, receivedCount: 3, queued: 0 }, 0],
  [{ lastSequence: 9, receivedCount: 6, queued: 2 }, 1],
  [{ lastSequence: 9, receivedCount: 9, queued: null }, 0],
  [{ lastSequence: 9, receivedCount: 12, queued: 0 }, 0],
])('%j has lost %d', (figures, lost) => {
  expect(lostCaptures(kiosk(figures))).toBe(lost)
})
