import { expect, test } from 'vitest'
import { logistic, logit } from '#models/rules/liveness/logit.ts'

test.each([
  [0.5, 0],
  [0.9, Math.log(9)],
  [0.1, -Math.log(9)],
  [1, 6],
  [0, -6],
  [0.9999999, 6],
])('the logit of %d is %d', (probability, value) => {
  expect(logit(probability)).toBeCloseTo(value)
})

test.each([0.01, 0.3, 0.77, 0.99])('a probability comes back from its logit: %d', (probability) => {
  expect(logistic(logit(probability))).toBeCloseTo(probability)
})
