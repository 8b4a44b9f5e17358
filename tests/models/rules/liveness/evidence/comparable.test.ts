import { expect, test } from 'vitest'
import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { isComparable, turnedBetween } from '#models/rules/liveness/evidence/comparable.ts'

test.each([
  ['turnLeft', actionLimits.turnDegrees],
  ['turnRight', actionLimits.turnDegrees],
  ['lookUp', actionLimits.upDegrees],
] as const)('%s can be compared while it is neither too little nor too much', (action, degrees) => {
  const at = (turned: number) => isComparable(action, turned / degrees)
  expect([at(turnedBetween.least - 0.1), at(turnedBetween.least + 0.1)]).toEqual([false, true])
  expect([at(turnedBetween.most - 4.1), at(turnedBetween.most - 3.9)]).toEqual([true, false])
})

test('actions that do not turn the head never can', () => {
  for (const action of ['smile', 'blink', 'comeCloser'] as const)
    expect(isComparable(action, 1.5)).toBe(false)
})
