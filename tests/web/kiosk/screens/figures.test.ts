import { describe, expect, test } from 'vitest'
import { lengthOf } from '#web/kiosk/screens/figures.ts'

describe('figures for staff', () => {
  test.each([
    [420, '7 minutes'],
    [-420, '7 minutes'],
    [7140, '119 minutes'],
    [7200, '2 hours'],
    [-31_536_000, '8,760 hours'],
  ])('a clock that is %s seconds off is off by %s', (seconds, words) =>
    expect(lengthOf(seconds, 'en')).toBe(words),
  )
})
