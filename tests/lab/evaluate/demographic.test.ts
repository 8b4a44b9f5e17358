import { describe, expect, test } from 'vitest'
import {
  bandsAround,
  recommendedMargin,
  within,
  wrongFails,
  wrongPasses,
} from '#lab/evaluate/demographic/age-decisions.ts'
import { addAges } from '#lab/evaluate/demographic/age-figures.ts'
import { binsBetween, quantileBins, rising } from '#lab/evaluate/demographic/bins.ts'
import { mostCertain, riskAt } from '#lab/evaluate/demographic/coverage.ts'
import { addDecisions } from '#lab/evaluate/demographic/decision-figures.ts'
import type { LabelledEstimate } from '#lab/evaluate/demographic/estimate.ts'
import { addGenders } from '#lab/evaluate/demographic/gender-figures.ts'
import { Figures } from '#lab/evaluate/figures.ts'

let count = 0
const person = (
  years: number,
  prediction: number,
  more: Partial<LabelledEstimate> = {},
): LabelledEstimate => ({
  person: `${count++}`,
  years,
  gender: 'female',
  race: undefined,
  prediction,
  uncertainty: 0.5,
  spread: 1,
  male: 0.1,
  confidence: 0.9,
  ...more,
})

describe('the ages', () => {
  const some = [
    person(10, 14, { uncertainty: 0.4 }),
    person(30, 28, { uncertainty: 0.2 }),
    person(40, 31, { uncertainty: 0.9 }),
    person(50, 65, { uncertainty: 1.1 }),
    person(20, 20, { uncertainty: 0.3 }),
  ]
  const figures = new Figures()
  addAges(figures, some)

  test.each([
    ['maeYears', 30 / 5, 5],
    ['adultMaeYears', 26 / 4, 4],
    ['minorMaeYears', 4, 1],
    ['biasYears', 8 / 5, 5],
    ['within5Years', 3 / 5, 5],
    ['maeYearsAt80Coverage', 15 / 4, 4],
    ['uncertain', 1 / 5, 5],
    ['maeYearsOfUncertain', 15, 1],
  ])('have a %s of %d', (name, value, n) => {
    expect(figures.get(name)).toMatchObject({ value: expect.closeTo(value), n })
  })

  test('have intervals by person', () => {
    const { low, high } = figures.get('maeYears')!
    expect(low).toBeLessThan(6)
    expect(high).toBeGreaterThan(6)
  })

  test('are shown by decade in order', () => {
    const table = figures.tables.find(({ title }) => title === 'Age by decade')!
    expect(table.rows.map(([name]) => name)).toEqual(['10-19', '20-29', '30-39', '40-49', '50-59'])
  })

  test('that are kept are the least uncertain ones', () => {
    expect(mostCertain(some, 0.4).map(({ years }) => years)).toEqual([30, 20])
    expect(riskAt(some, 0.4)).toBe(1)
    expect(riskAt(some, 1)).toBe(6)
  })

  test('of a set without any give no figure', () => {
    const none = new Figures()
    addAges(none, [{ ...some[0]!, years: undefined }])
    addDecisions(none, [{ ...some[0]!, years: undefined }])
    expect(none.all).toEqual([])
  })
})

describe('an age limit', () => {
  const some = [
    person(17, 19),
    person(16, 17),
    person(15, 22, { uncertainty: 1.01 }),
    person(18, 17.9),
    person(19, 21),
  ]

  test.each([
    [0, 1, 1],
    [2, 0, 1],
    [3, 0, 1],
    [5, 0, 2],
  ])('with a margin of %d is passed wrongly by %d and failed wrongly by %d', (margin, pass, fail) => {
    expect(wrongPasses(some, 18, margin)).toEqual({ hits: pass, n: 3 })
    expect(wrongFails(some, 18, margin)).toEqual({ hits: fail, n: 2 })
  })

  test('is never passed by an uncertain estimate', () => {
    expect(wrongPasses(some.slice(2, 3), 18, 0).hits).toBe(0)
    expect(wrongFails([person(60, 60, { uncertainty: 1.01 })], 18, 0).hits).toBe(1)
  })

  test('lies between bands that contain each person once', () => {
    const bands = bandsAround(18)
    expect(bands.map(({ name }) => name)).toContain('15-17')
    for (let years = 0; years < 120; years++) {
      expect(bands.filter((band) => within(band, [person(years, 1)]).length === 1)).toHaveLength(1)
    }
  })

  test('has the smallest margin at which, with confidence, few slightly younger people pass', () => {
    const close = (predictions: readonly number[]) => predictions.map((prediction) => person(16, prediction))
    const ages = (count: number, prediction: number) => Array.from({ length: count }, () => prediction)
    expect(recommendedMargin(close(ages(100, 17)), 18)).toBe(0)
    expect(recommendedMargin(close([...ages(90, 17), ...ages(10, 20.5)]), 18)).toBe(3)
    expect(recommendedMargin(close(ages(100, 40)), 18)).toBeUndefined()
    expect(recommendedMargin(close(ages(5, 10)), 18), 'too few to be sure').toBeUndefined()
    expect(recommendedMargin([person(30, 30)], 18)).toBeUndefined()
  })

  test('is reported for every margin, with counts', () => {
    const figures = new Figures()
    addDecisions(figures, some)
    expect(figures.get('wrongPassAt18Margin0')).toMatchObject({ value: expect.closeTo(1 / 3), n: 3 })
    expect(figures.get('wrongFailAt18Margin5')).toMatchObject({ value: 1, n: 2 })
    expect(figures.get('wrongFailAt25Margin0')).toBeUndefined()
  })
})

describe('the genders', () => {
  const man = { gender: 'male', male: 0.8, confidence: 0.8 } as const
  const figures = new Figures()
  addGenders(figures, [
    person(30, 30),
    person(30, 30, man),
    person(8, 8, { ...man, gender: 'female' }),
    { ...person(1, 1), years: undefined },
  ])

  test.each([
    ['genderAccuracy', 3 / 4, 4],
    ['adultGenderAccuracy', 1, 2],
    ['minorGenderAccuracy', 0, 1],
    ['genderCalibrationError', (0.3 * 2 + 0.1 * 2) / 4, 4],
  ])('have a %s of %d', (name, value, n) => {
    expect(figures.get(name)).toMatchObject({ value: expect.closeTo(value), n })
  })
})

describe('the bins of a table', () => {
  const cases = Array.from({ length: 100 }, (_, i) => ({ x: i, y: i * 2 }))

  test('hold the means of their cases', () => {
    expect(binsBetween([0, 10, 50, 100], cases, 5)).toEqual([
      { x: 4.5, y: 9, n: 10 },
      { x: 29.5, y: 59, n: 40 },
      { x: 74.5, y: 149, n: 50 },
    ])
  })

  test('join their neighbours if they would be too small, and contain every case once', () => {
    expect(binsBetween([0, 10, 50, 55, 100], cases, 20).map(({ n }) => n)).toEqual([50, 50])
    expect(binsBetween([0, 90, 100], cases, 20).map(({ n }) => n)).toEqual([100])
    expect(binsBetween([0, 10], cases, 20).map(({ n }) => n)).toEqual([10])
    expect(binsBetween([0, 10], [], 20)).toEqual([])
  })

  test('have about equal sizes if based on quantiles', () => {
    expect(quantileBins(4, cases).map(({ n }) => n)).toEqual([25, 25, 25, 25])
    expect(
      quantileBins(
        3,
        Array.from({ length: 9 }, () => ({ x: 1, y: 2 })),
      ),
    ).toEqual([{ x: 1, y: 2, n: 9 }])
  })

  test('are levelled if they fall', () => {
    const bin = (y: number, n: number) => ({ x: 0, y, n })
    const ys = (...bins: ReturnType<typeof bin>[]) => rising(bins).map(({ y }) => y)
    expect(ys(bin(1, 5), bin(4, 1), bin(2, 3), bin(6, 1))).toEqual([1, 2.5, 2.5, 6])
    expect(ys(bin(3, 1), bin(2, 1), bin(1, 1))).toEqual([2, 2, 2])
  })
})
