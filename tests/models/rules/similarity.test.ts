import { describe, expect, test } from 'vitest'
import tables from '#models/calibration/recognition.json' with { type: 'json' }
import { calibratedScores, cosine, cosineOf, scoreOf } from '#models/rules/similarity.ts'

describe('the score of a cosine', () => {
  test.each<[value: number, score: number]>([
    [-1, -1],
    [0, 0],
    ...calibratedScores().map(({ cosine: measured, score }): [number, number] => [measured, score]),
    [1, 100],
    [calibratedScores()[0]!.cosine / 2, 35],
    [-0.5, -0.5],
  ])('%d is %d', (value, score) => {
    expect(scoreOf(value)).toBeCloseTo(score, 9)
  })

  test.each([
    [-1.0001, -1],
    [1.0000001, 100],
  ])('%d, a little off a unit vector, is %d', (value, score) => {
    expect(scoreOf(value)).toBe(score)
  })

  test('corresponds to one false match in 1e3 to 1e6, the last of them extrapolated', () => {
    expect(
      calibratedScores().map(({ score, exponent, extrapolated }) => [score, exponent, extrapolated]),
    ).toEqual([
      [70, 3, false],
      [80, 4, false],
      [90, 5, false],
      [95, 6, true],
    ])
  })

  test('is undefined for an uncalibrated embedding model', () => {
    expect(() => scoreOf(0.5, 'fr-feature')).toThrow('never calibrated')
  })

  test('never falls as the cosine rises, and its inverse restores the cosine', () => {
    let last = Number.NEGATIVE_INFINITY
    for (let value = -1; value <= 1; value += 1 / 512) {
      const score = scoreOf(value)
      expect(score).toBeGreaterThan(last)
      expect(cosineOf(score)).toBeCloseTo(value, 9)
      last = score
    }
  })

  test.each([
    [-2, -1],
    [101, 1],
  ])('a score of %d belongs to a cosine of %d', (score, value) => {
    expect(cosineOf(score)).toBe(value)
  })
})

describe('a model with a different scale', () => {
  test('scores 0 at the average of strangers, and 70 at one in a thousand', () => {
    const [first] = calibratedScores('dlib-face/2')
    expect(scoreOf(tables['dlib-face/2'].stranger, 'dlib-face/2')).toBeCloseTo(0, 6)
    expect(scoreOf(first!.cosine, 'dlib-face/2')).toBeCloseTo(70, 9)
    expect(cosineOf(70, 'dlib-face/2')).toBeCloseTo(first!.cosine, 9)
  })

  test('is refused if it was never calibrated', () => {
    expect(() => calibratedScores('another-model')).toThrow(RangeError)
  })
})

describe('cosine', () => {
  test.each([
    [[1, 0], [1, 0], 1],
    [[1, 0], [0, 1], 0],
    [[0.6, 0.8], [-0.6, -0.8], -1],
  ])('of %j and %j is %d', (a, b, value) => {
    expect(cosine(a, b)).toBeCloseTo(value)
  })
})
