import { describe, expect, test } from 'vitest'
import { compareAll } from '#lab/evaluate/recognition/all-pairs.ts'
import { errorRates } from '#lab/evaluate/recognition/error-rates.ts'
import { bestThreshold, foldAccuracy } from '#lab/evaluate/recognition/fold-accuracy.ts'
import { personBootstrap } from '#lab/evaluate/recognition/person-bootstrap.ts'
import { plainSamples } from './plain-samples.ts'

/** A unit vector in the plane at an angle in degrees, so that two vectors' cosine follows from the angle between them. */
const at = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
const cosineOf = (degrees: number) => Math.cos((degrees * Math.PI) / 180)

/** Anna's faces are 20 degrees apart, Ben's 30. Ben's second face is 10 degrees from Anna's first. */
const samples = plainSamples([at(0), at(20), at(-40), at(-10)], ['anna', 'anna', 'ben', 'ben'])

describe('all pairs', () => {
  const { genuine, impostor } = compareAll(samples)

  test('are divided by person, the most similar first', () => {
    expect(Array.from(genuine.cosines)).toEqual([20, 30].map((angle) => expect.closeTo(cosineOf(angle), 5)))
    expect(Array.from(impostor.cosines)).toEqual(
      [10, 30, 40, 60].map((angle) => expect.closeTo(cosineOf(angle), 5)),
    )
    expect([genuine.total, impostor.total]).toEqual([2, 4])
  })

  test('name the samples that they compare', () => {
    expect([impostor.a[0], impostor.b[0]].sort()).toEqual([0, 3])
  })

  test('stay within groups', () => {
    const { genuine: own, impostor: strangers } = compareAll(samples, { groups: [0, 1, 1, 0] })
    expect([own.total, strangers.total]).toEqual([0, 2])
    expect(Array.from(strangers.cosines)).toEqual([10, 60].map((angle) => expect.closeTo(cosineOf(angle), 5)))
  })
})

describe('error rates', () => {
  const errors = errorRates(compareAll(samples))

  test.each([
    [5, 0, 1],
    [15, 0.25, 1],
    [25, 0.25, 0.5],
    [35, 0.5, 0],
    [90, 1, 0],
  ])('at %d degrees: %d of the strangers match, %d of the people do not', (angle, matches, misses) => {
    expect(errors.falseMatchRate(cosineOf(angle))).toBe(matches)
    expect(errors.falseNonMatchRate(cosineOf(angle))).toBe(misses)
  })

  test.each([
    [0.2, 0],
    [0.25, 0.5],
    [0.5, 1],
  ])('at a false match rate of %d, %d of the people match', (rate, matches) => {
    expect(errors.trueMatchRateAt(rate)).toBe(matches)
  })

  test('are equal if strangers match at the same rate as people do not', () => {
    const even = plainSamples(
      [at(0), at(10), at(90), at(140), at(95), at(105)],
      ['a', 'a', 'b', 'b', 'c', 'c'],
    )
    // The people's faces are 10, 10 and 50 degrees apart, so one misses at 45 degrees, where four of twelve strangers match.
    const rates = errorRates(compareAll(even))
    expect(rates.equalErrorRate()).toBeCloseTo(1 / 3, 9)
  })

  test('weight people by how often they were drawn', () => {
    const [anna, ben] = [2, 1]
    const drawn = errorRates(compareAll(samples), [anna, ben])
    expect(drawn.falseNonMatchRate(cosineOf(25))).toBeCloseTo(ben / (anna + ben), 9)
    expect(drawn.falseMatchRate(cosineOf(15))).toBeCloseTo(0.25, 9)
    expect(errorRates(compareAll(samples), [2, 0]).falseMatchRate(0)).toBeNaN()
  })

  test('are not extrapolated beyond the listed pairs', () => {
    const many = plainSamples(
      Array.from({ length: 700 }, (_, i) => at(i / 4)),
      Array.from({ length: 700 }, (_, i) => `${i}`),
    )
    const pairs = compareAll(many, { listed: 0.01 })
    expect(pairs.impostor.total).toBe((700 * 699) / 2)
    expect(pairs.impostor.cosines.length).toBeLessThan(0.02 * pairs.impostor.total)
    const rates = errorRates(pairs)
    expect(rates.falseMatchRate(cosineOf(0.3))).toBeCloseTo(699 / pairs.impostor.total, 9)
    expect(rates.falseMatchRate(0)).toBeNaN()
  })
})

describe('a threshold', () => {
  test('lies between the two values that it separates', () => {
    const pairs = [0.1, 0.3, 0.5, 0.7].map((cosine, i) => ({ cosine, same: i >= 2 }))
    expect(bestThreshold(pairs)).toBeCloseTo(0.4)
  })
})

describe('the accuracy over folds', () => {
  const fold = (name: string, same: readonly number[], other: readonly number[]) => [
    ...same.map((cosine) => ({ fold: name, cosine, same: true })),
    ...other.map((cosine) => ({ fold: name, cosine, same: false })),
  ]

  test('uses the threshold of the other folds', () => {
    const found = foldAccuracy([
      ...fold('1', [0.9, 0.45], [0.1, 0.2]),
      ...fold('2', [0.8, 0.7], [0.1, 0.55]),
    ])!
    // Fold 1 chooses 0.325, so 0.55 in fold 2 is wrong. Fold 2 chooses 0.625, so 0.45 in fold 1 is wrong.
    expect(found.right).toEqual([true, false, true, true, true, true, true, false])
    expect(found.accuracy).toBe(0.75)
    expect(found.deviation).toBe(0)
  })

  test('has the deviation of the folds', () => {
    const found = foldAccuracy([...fold('1', [0.9], [0.1]), ...fold('2', [0.2, 0.8], [0.1, 0.1])])!
    expect(found.accuracy).toBeCloseTo((1 + 0.75) / 2, 9)
    expect(found.deviation).toBeCloseTo(Math.sqrt(2) * 0.125, 9)
  })

  test('is undefined for one fold', () => {
    expect(foldAccuracy(fold('1', [1], [0]))).toBeUndefined()
  })
})

describe('the bootstrap by person', () => {
  test('is wider if all errors are of one person', () => {
    const spread = (errors: readonly number[]) => {
      const { rate } = personBootstrap(50, (drawn) => ({
        rate: errors.reduce((sum, error, i) => sum + error * drawn[i]!, 0) / 500,
      }))
      return rate!.high - rate!.low
    }
    const ofOne = Array.from({ length: 50 }, (_, i) => (i === 0 ? 50 : 0))
    const ofAll = Array.from({ length: 50 }, () => 1)
    expect(spread(ofAll)).toBe(0)
    expect(spread(ofOne)).toBeGreaterThan(0.1)
  })

  test('gives the same result each time, and none for one person', () => {
    const first = (count: number) => personBootstrap(count, (drawn) => ({ first: drawn[0]! }))
    expect(first(9)).toEqual(first(9))
    expect(first(1)).toEqual({})
  })
})
