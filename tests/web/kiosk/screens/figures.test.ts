import { describe, expect, test } from 'vitest'
import { lengthOf, sizeOf } from '#web/kiosk/screens/figures.ts'

describe('figures for staff', () => {
  test.each([
    [41_700_000, 'en', '42 megabytes'],
    [1_500_000, 'de', '1,5 Megabyte'],
    [12_400_000_000, 'en', '12 gigabytes'],
  ])('%s bytes in %s are %s', (bytes, locale, words) => expect(sizeOf(bytes, locale)).toBe(words))

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
