import { describe, expect, test } from 'vitest'
import { combinationOf, furtherThan, packOf, replaced } from '#lab/attacks/recorded.ts'

const warped = 'attack.warped.script.balanced'

describe('recorded figures', () => {
  test.each([
    [`${warped}.apcer`, 'standard'],
    [`${warped}.apcer.low`, 'standard'],
    [`${warped}.found.notPerformed`, 'standard'],
    [`${warped}.apcer.extended`, 'extended'],
    [`${warped}.withinLimits.extended.high`, 'extended'],
    ['living.bpcerNoise14', 'standard'],
    ['living.advanced.bpcer.extended.n', 'extended'],
  ])('%s is of the pack %s', (name, pack) => {
    expect(packOf(name)).toBe(pack)
  })

  test('are replaced a combination and a pack at a time', () => {
    const before = {
      [`${warped}.apcer`]: 1,
      [`${warped}.withinLimits`]: 1,
      [`${warped}.apcer.extended`]: 0.9,
      'living.bpcer': 0.1,
      'living.bpcerSmall': 0.2,
    }
    const newer = { [`${warped}.apcer`]: 0.4, 'living.bpcer': 0.05 }
    expect(replaced(before, newer)).toEqual({
      [`${warped}.apcer.extended`]: 0.9,
      'living.bpcerSmall': 0.2,
      [`${warped}.apcer`]: 0.4,
      'living.bpcer': 0.05,
    })
  })

  test('of a session and of living people are told apart', () => {
    expect(combinationOf(`${warped}.apcer.n`)).toBe(combinationOf(`${warped}.found.notPerformed`))
    expect(combinationOf('living.bpcer')).not.toBe(combinationOf('living.advanced.bpcer'))
  })
})

describe('an instrument that gets further than was recorded', () => {
  const recorded = { [`${warped}.apcer`]: 0.1, [`${warped}.apcer.high`]: 0.2 }

  test.each([
    ['lies above it with its whole interval', 0.3, true],
    ['may lie above by chance', 0.15, false],
  ])('%s', (_, low, isFurther) => {
    const measured = { [`${warped}.apcer`]: 0.5, [`${warped}.apcer.low`]: low, [`${warped}.apcer.high`]: 0.9 }
    expect(furtherThan(recorded, measured)).toEqual(isFurther ? [`${warped}.apcer`] : [])
  })

  test('is one that was never recorded', () => {
    const measured = { 'attack.new.script.balanced.apcer': 0, 'attack.new.script.balanced.apcer.low': 0 }
    expect(furtherThan(recorded, measured)).toHaveLength(1)
  })
})
