import { describe, expect, test } from 'vitest'
import { judgePictures, movesAfter, restIn } from '#models/rules/challenge/offline-judgement.ts'
import { analysisOf, emptyAnalysis } from '../../../web/support/analysis.ts'

const rest = restIn([analysisOf(), analysisOf({ yaw: 1 }), emptyAnalysis()])

describe('the pictures of a step, judged on the device', () => {
  test.each([
    ['turnLeft', [analysisOf(), analysisOf({ yaw: 22 })], 'performed'],
    ['turnLeft', [analysisOf(), analysisOf({ yaw: 9 })], 'notPerformed'],
    ['turnLeft', [analysisOf({ yaw: -22 }), analysisOf({ yaw: 22 })], 'otherAction'],
    ['turnRight', [analysisOf({ yaw: -22 })], 'performed'],
    ['lookUp', [analysisOf({ pitch: 20 })], 'performed'],
    ['lookUp', [analysisOf({ yaw: 22 })], 'otherAction'],
    ['smile', [analysisOf({ smile: 0.7 })], 'performed'],
    ['comeCloser', [analysisOf({ size: 0.6 })], 'performed'],
    ['blink', [analysisOf({ eyesClosed: 0.9 }), analysisOf({ eyesClosed: 0.1 })], 'performed'],
    ['blink', [analysisOf({ eyesClosed: 0.9 })], 'notPerformed'],
    ['turnLeft', [emptyAnalysis()], 'notPerformed'],
  ] as const)('for %s: %#', (action, pictures, outcome) => {
    expect(judgePictures(action, pictures, rest)).toBe(outcome)
  })

  test('mistakes no remainder of the requested action for another one', () => {
    expect(judgePictures('turnLeft', [analysisOf({ yaw: 30, pitch: 15 })], rest)).toBe('performed')
  })
})

describe('a size, judged on the device', () => {
  const at = (...sizes: number[]) => sizes.map((size) => analysisOf({ size: 0.38 * size }))

  test.each([
    [at(1, 1.3, 1.5), 'performed'],
    [at(1, 1.5, 1.2), 'notPerformed'],
    [at(1, 1.2), 'notPerformed'],
    [at(1, 1.8), 'notPerformed'],
    [[emptyAnalysis()], 'notPerformed'],
    [[...at(1.5), emptyAnalysis()], 'performed'],
    [[analysisOf({ yaw: 22 }), ...at(1.5)], 'otherAction'],
  ] as const)('counts as it is in the last picture: %#', (pictures, outcome) => {
    expect(judgePictures('comeCloser', pictures, rest, 1.5)).toBe(outcome)
  })
})

describe('the last pictures', () => {
  test('expose a recording that goes on to other movements', () => {
    expect(movesAfter([analysisOf(), analysisOf({ yaw: -14 })], rest, 'turnLeft')).toBe(true)
    expect(movesAfter([analysisOf(), analysisOf({ yaw: 14 })], rest, 'turnLeft')).toBe(false)
    expect(movesAfter([analysisOf({ yaw: 5 })], rest, 'turnLeft')).toBe(false)
  })
})
