import { describe, expect, test } from 'vitest'
import calibration from '#models/calibration/liveness.json' with { type: 'json' }
import { liveLimits } from '#models/rules/liveness/live-limits.ts'

describe('the limits of liveness', () => {
  test('are those of the standard pack if at most one network ran', () => {
    expect(liveLimits()).toEqual(calibration.standard)
    expect(liveLimits(null)).toEqual(calibration.standard)
    expect(liveLimits({})).toEqual(calibration.standard)
  })

  test('are those of the extended pack if two networks ran and it has its own', () => {
    const own = (calibration as Record<string, unknown>).extended
    expect(liveLimits({ second: { raw: 0.5 } })).toEqual(own ?? calibration.standard)
  })

  test.each(Object.entries(calibration))(
    'of %s are shares, and a recording must look more live than not',
    (_, limits) => {
      for (const limit of Object.values(limits)) {
        expect(limit).toBeGreaterThan(0)
        expect(limit).toBeLessThan(1)
      }
      expect(limits.clip).toBeGreaterThan(0.5)
    },
  )
})
