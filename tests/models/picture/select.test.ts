import fc from 'fast-check'
import { expect, test } from 'vitest'
import { select } from '#models/picture/select.ts'

test('the value at a rank is the one that sorting would put there', () => {
  const list = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(list, fc.nat(), (values, at) => {
      const rank = at % values.length
      const sorted = Float32Array.from(values).sort()
      expect(select(Float32Array.from(values), rank)).toBeCloseTo(sorted[rank]!)
    }),
  )
})
