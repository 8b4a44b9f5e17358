import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countedQuantile, median } from '#models/rules/median.ts'

test('the median of counted values equals that of the expanded list', () => {
  const counted = fc.array(
    fc.record({ value: fc.integer({ min: 0, max: 9 }), count: fc.integer({ min: 1, max: 4 }) }),
  )
  fc.assert(
    fc.property(counted, (values) => {
      const all = values.flatMap(({ value, count }) => Array.from({ length: count }, () => value))
      expect(countedQuantile(values, 0.5)).toBe(median(all))
    }),
  )
  expect(countedQuantile([], 0.5)).toBeUndefined()
})

test.each([
  [0, 10],
  [0.5, 10],
  [0.9, 25],
  [1, 30],
])('a share of %s of counted values lies below %s', (share, value) => {
  const values = [
    { value: 30, count: 1 },
    { value: 10, count: 4 },
    { value: 20, count: 1 },
  ]
  expect(countedQuantile(values, share)).toBeCloseTo(value)
})
