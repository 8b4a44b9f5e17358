import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countedMedian, median } from '#models/rules/median.ts'

test('the median of counted values is that of all of them written out', () => {
  const counted = fc.array(
    fc.record({ value: fc.integer({ min: 0, max: 9 }), count: fc.integer({ min: 1, max: 4 }) }),
  )
  fc.assert(
    fc.property(counted, (values) => {
      const all = values.flatMap(({ value, count }) => Array.from({ length: count }, () => value))
      expect(countedMedian(values)).toBe(median(all))
    }),
  )
  expect(countedMedian([])).toBeUndefined()
})
