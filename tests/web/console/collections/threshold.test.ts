import { expect, test } from 'vitest'
import { faceMatchThresholds } from '#shared/contract/recognition/face-elements.ts'
import { thresholdOf } from '#web/console/collections/threshold.ts'

test.each(['', '  '])('for empty input (%j) the server decides, which never means 0', (typed) => {
  expect(thresholdOf(typed)).toEqual({ least: faceMatchThresholds.default, asked: {} })
})

test.each([
  ['0', 0],
  ['92.5', 92.5],
])('the input (%s) is used', (typed, least) => {
  expect(thresholdOf(typed)).toEqual({ least, asked: { faceMatchThreshold: least } })
})
