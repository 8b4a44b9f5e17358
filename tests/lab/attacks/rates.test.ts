import { describe, expect, test } from 'vitest'
import { passRate, refusalRate, withinLimits } from '#lab/attacks/rates.ts'

describe('the rate of sessions that pass', () => {
  test('counts sessions, with an interval over people', () => {
    const few = passRate([
      [true, true, false],
      [false, false, false],
    ])!
    expect([few.value, few.n, few.people]).toEqual([1 / 3, 6, 2])
    expect([few.low, few.high]).toEqual([0, 2 / 3])
  })

  test.each([
    [true, 1],
    [false, 0],
  ])('has an interval if all are %s', (passed, value) => {
    const even = passRate(Array.from({ length: 10 }, () => [passed, passed, passed]))!
    expect(even.value).toBe(value)
    expect(even.high - even.low).toBeCloseTo(0.278, 2)
  })

  test('is undefined without people', () => {
    expect(passRate([])).toBeUndefined()
    expect(withinLimits([])).toBeUndefined()
  })
})

test('a person passes within the limit with one of the first five sessions', () => {
  const sixth = [false, false, false, false, false, true]
  const fifth = [false, false, false, false, true]
  const rate = withinLimits([sixth, fifth, [true]])!
  expect([rate.value, rate.n, rate.people]).toEqual([2 / 3, 3, 3])
})

test('living people are counted by their refusals', () => {
  expect(
    refusalRate([
      [true, true],
      [true, false],
    ])!.value,
  ).toBe(0.25)
})
