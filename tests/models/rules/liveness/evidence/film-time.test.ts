import { describe, expect, test } from 'vitest'
import { isFilmPossible } from '#models/rules/liveness/evidence/film-time.ts'
import { clockSlackInMilliseconds as slack } from '#models/rules/liveness/take.ts'

const opened = 10_000
/** Pictures that arrived together at this time after the session was opened. */
const batch = (at: number, ...times: readonly number[]) =>
  times.map((time) => ({ time, receivedAt: opened + at }))

describe('a film can have been taken', () => {
  test.each([
    ['while its requests were held back', [batch(9000, 0, 4000), batch(9500, 4000, 9500)]],
    ['where a later request came first', [batch(5000, 3000, 5000), batch(5500, 0, 3000)]],
    ['by a camera that began anew', [batch(8000, 0, 8000), batch(12_000, 0, 4000)]],
    ['up to what clocks may differ by', [batch(5000, 0, 5000 + slack)]],
  ])('%s', (_name, batches) => {
    expect(isFilmPossible(batches.flat(), opened)).toBe(true)
  })

  test.each([
    ['at once', [batch(5000, 0, 5001 + slack)]],
    ['in parts', [batch(2500, 0, 2500 + slack / 2), batch(5000, 2600 + slack / 2, 5001 + slack)]],
    ['picture by picture', [batch(1000, 0), batch(1001, 3000), batch(1002, 6000)]],
    ['by cameras that began anew', [batch(5000, 0, 5000), batch(5500, 0, 1000 + slack)]],
    ['and later than it should', [batch(1000, 0, 1001 + slack), batch(60_000, 4000)]],
  ])('but not if it is longer than the session lasted: %s', (_name, batches) => {
    expect(isFilmPossible(batches.flat(), opened)).toBe(false)
  })

  test('where there is none', () => expect(isFilmPossible([], opened)).toBe(true))
})
