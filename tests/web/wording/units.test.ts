import { describe, expect, test } from 'vitest'
import { sizeOf } from '#web/wording/units.ts'

describe('sizes', () => {
  test.each([
    [41_700_000, 'en', 'long', '42 megabytes'],
    [1_500_000, 'de', 'long', '1,5 Megabyte'],
    [12_400_000_000, 'en', 'long', '12 gigabytes'],
    [57_000_000, 'en', 'short', '57 MB'],
    [11_000_000_000, 'fr', 'short', '11 Go'],
  ] as const)('%s bytes in %s, %s, are %s', (bytes, locale, display, words) =>
    expect(sizeOf(bytes, locale, display).replaceAll(/\s/g, ' ')).toBe(words),
  )
})
