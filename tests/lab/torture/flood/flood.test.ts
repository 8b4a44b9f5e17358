import { expect, test } from 'vitest'
import { withstood } from '#lab/torture/flood/flood.ts'

const atTheLimit = { residentPeakMiB: 600, otherAccountP95Ratio: 4.99, otherAccountRefused: 0 }

test.each([
  ['at every limit', {}, true],
  ['with more memory', { residentPeakMiB: 600.1 }, false],
  ['where another account waits 5 times as long', { otherAccountP95Ratio: 5 }, false],
  ['where another account is refused once', { otherAccountRefused: 1 }, false],
  ['where nothing could be timed', { otherAccountP95Ratio: Number.NaN }, false],
])('a flood %s: withstood or not', (_name, changed, expected) => {
  expect(withstood({ ...atTheLimit, ...changed }, 'full')).toBe(expected)
})

test('the short form of a flood judges memory and refusals, and only reports how long another account waits', () => {
  expect(withstood({ ...atTheLimit, otherAccountP95Ratio: 9 }, 'short')).toBe(true)
  expect(withstood({ ...atTheLimit, otherAccountRefused: 1 }, 'short')).toBe(false)
  expect(withstood({ ...atTheLimit, residentPeakMiB: 601 }, 'short')).toBe(false)
})

test('with pictures that take much memory to decode, a flood may use the memory of a container', () => {
  expect(withstood({ ...atTheLimit, residentPeakMiB: 768, otherAccountP95Ratio: 20 }, 'held')).toBe(true)
  expect(withstood({ ...atTheLimit, residentPeakMiB: 768.1 }, 'held')).toBe(false)
  expect(withstood({ ...atTheLimit, otherAccountRefused: 1 }, 'held')).toBe(false)
})
