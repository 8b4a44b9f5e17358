import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rateOf } from '#web/console/overview/wilson.ts'

// Computed by hand with Wilson's formula, using z = 1.959964.
test.each([
  [8, 10, 0.4902, 0.9433],
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [184, 199, 0.8795, 0.9538],
])('%d of %d', (hits, all, from, to) => {
  const rate = rateOf(hits, all)!
  expect(rate.share).toBe(hits / all)
  expect(rate.from).toBeCloseTo(from, 3)
  expect(rate.to).toBeCloseTo(to, 3)
})

test('there is no rate without cases', () => {
  expect(rateOf(0, 0)).toBeNull()
})

test('the interval contains the share, stays within 0 and 1, and is narrower for more cases', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.nat(1000), (all, some) => {
      const hits = Math.min(some, all)
      const { share, from, to } = rateOf(hits, all)!
      expect(from).toBeLessThanOrEqual(share + 1e-12)
      expect(to).toBeGreaterThanOrEqual(share - 1e-12)
      expect(from >= 0 && to <= 1).toBe(true)
      const more = rateOf(10 * hits, 10 * all)!
      expect(more.to - more.from).toBeLessThan(to - from)
    }),
  )
})
