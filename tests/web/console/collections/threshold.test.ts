import { expect, test } from 'vitest'
import { faceMatchThresholds } from '#shared/contract/recognition/face-elements.ts'
import { thresholdOf } from '#web/console/collections/threshold.ts'

test.each(['', '  '])('where nothing is typed (%j), the server decides, which is never at 0', (typed) => {
  expect(thresholdOf(typed)).toEqual({ least: faceMatchThresholds.default, asked: {} })
})

test.each([
  ['0', 0],
  ['92.5', 92.5],
])('what is typed (%s) is asked for', (typed, least) => {
  expect(thresholdOf(typed)).toEqual({ least, asked: { faceMatchThreshold: least } })
})
