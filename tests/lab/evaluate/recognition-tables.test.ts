import { describe, expect, test } from 'vitest'
import { Figures } from '#lab/evaluate/figures.ts'
import { numeral } from '#lab/evaluate/print.ts'
import { addAgeGaps } from '#lab/evaluate/recognition/age-gaps.ts'
import { compareAll } from '#lab/evaluate/recognition/all-pairs.ts'
import { errorRates } from '#lab/evaluate/recognition/error-rates.ts'
import { addPairFigures } from '#lab/evaluate/recognition/pair-figures.ts'
import { addProtocol } from '#lab/evaluate/recognition/protocol.ts'
import { addRejectCurve } from '#lab/evaluate/recognition/reject-curve.ts'
import { addSameGroup } from '#lab/evaluate/recognition/same-group.ts'
import { extrapolated, scoreTable } from '#lab/evaluate/recognition/score-table.ts'
import { toUnit } from '#models/rules/embedding.ts'
import { cosineOf } from '#models/rules/similarity.ts'
import { randomNumbers } from '#shared/random-numbers.ts'
import { plainSamples } from './plain-samples.ts'

const random = randomNumbers(7)
/** Directions without any bias. Sums of uniform numbers are close enough to a normal distribution. */
const direction = (length: number) =>
  Array.from({ length }, () => random() + random() + random() + random() - 2)

/** People with two pictures each. The first `alike` people's pictures share a direction; strangers do not. */
function people(count: number, alike: number) {
  const pictures = Array.from({ length: count }, (_, person) => {
    const own = direction(64)
    return [0, 1].map(() => {
      const noise = direction(64)
      return toUnit(person < alike ? own.map((value, i) => value + noise[i]! / 4) : noise)
    })
  })
  const names = pictures.flatMap((_, person) => [`${person}`, `${person}`])
  return plainSamples(pictures.flat(), names)
}

describe('the figures of all pairs', () => {
  const figures = new Figures()
  addPairFigures(figures, people(120, 114))

  test('include the number of people', () => {
    for (const name of ['tarAtFmr1e-3', 'tarAtFmr1e-2']) {
      expect(figures.get(name)!.value).toBeCloseTo(0.95, 1)
      expect(figures.get(name)!.n).toBe(120)
    }
    expect(figures.get('eer')!.value).toBeLessThan(0.06)
  })

  test('are given at the scores of the product, with intervals that contain them', () => {
    for (const score of [70, 80, 90, 95]) {
      const { value, n, low, high } = figures.get(`fmrAtScore${score}`)!
      expect(n).toBe((240 * 239) / 2 - 120)
      expect(low).toBeLessThanOrEqual(value)
      expect(high).toBeGreaterThan(value)
    }
    expect(figures.get('fnmrAtScore80')!.value).toBeCloseTo(0.05, 1)
  })

  test('leave out a rate for which no pair could be expected', () => {
    expect(figures.get('tarAtFmr1e-5')).toBeUndefined()
  })
})

describe('the table of scores', () => {
  const pairs = compareAll(people(300, 300))
  const { points, bounds } = scoreTable(pairs)

  test('counts strangers up to a rate of one in a hundred thousand', () => {
    const { falseMatchRate } = errorRates(pairs)
    expect(points.map(({ score, exponent, extrapolated: isBeyond }) => [score, exponent, isBeyond])).toEqual([
      [70, 3, false],
      [80, 4, false],
      [90, 5, false],
      [95, 6, true],
    ])
    expect(falseMatchRate(points[0]!.cosine)).toBeCloseTo(1e-3, 3)
  })

  test('rises, within its intervals', () => {
    const cosines = points.map(({ cosine }) => cosine)
    expect(cosines).toEqual([...cosines].sort((a, b) => a - b))
    expect(bounds[0]!.low).toBeLessThanOrEqual(cosines[0]! + 0.001)
    expect(bounds[0]!.high).toBeGreaterThanOrEqual(cosines[0]! - 0.001)
  })

  test.each([
    [0, 0.3, 0.5, Math.sqrt(0.25 + 0.08)],
    [0.8, 0.9, 0.95, 0.8 + Math.sqrt(0.0225 + 0.00625)],
  ])('goes on as a normal distribution with a mean of %d does', (mean, cosine3, cosine5, cosine6) => {
    expect(extrapolated(cosine3, cosine5, mean)).toBeCloseTo(cosine6, 9)
  })
})

describe('the cost of the worst pictures', () => {
  test('is shown by a measure that recognises them', () => {
    const samples = people(100, 90)
    const pairs = compareAll(samples)
    const known = Float64Array.from(samples.persons, (person) => (person < 90 ? 1 + person / 100 : 0))
    const figures = new Figures()
    addRejectCurve(figures, pairs, known)
    const left = [5, 10, 20].map((share) => figures.get(`fnmrAtFmr1e-3WithoutWorst${share}Percent`)!)
    expect(left[0]!.value).toBeGreaterThan(0)
    expect(left[1]!.value).toBe(0)
    expect(left[2]!.n).toBe(80)
  })
})

describe('strangers of one group', () => {
  test('match more often than all do, with duplicates separated', () => {
    const shared = direction(64)
    const faces = Array.from({ length: 160 }, (_, i) =>
      toUnit(direction(64).map((value, k) => value + (i < 80 ? 0.9 * shared[k]! : 0))),
    )
    faces[1] = faces[0]!
    const samples = plainSamples(
      faces,
      faces.map((_, i) => `${i}`),
    )
    const rows = faces.map((_, i) => ({ gender: 'female', race: i < 80 ? '0' : '1', age: '34' }))
    const figures = new Figures()
    figures.add('fmrAtScore80', 0.0034, 12_720)
    addSameGroup(figures, samples, rows)
    const rate = (part: string, which = '') => figures.get(`${part}fmrSameGroup${which}AtScore80`)!
    expect(rate('').n).toBe(80 * 79)
    expect(rate('from20.female.White.').value).toBeGreaterThan(rate('from20.female.Black.').value)
    expect(rate('').value).toBeGreaterThan(rate('', 'WithoutDoubles').value)
    expect(figures.get('under20.fmrSameGroupAtScore80')).toBeUndefined()
    const said = figures.notes.at(-1)!
    expect(said).toContain('Here 0.0034 of all pairs of strangers match')
    expect(said).toContain(`from 20 years on ${numeral(rate('from20.', 'WithoutDoubles').value)}`)
    expect(said).not.toMatch(/every kind|under 20/)
  })
})

describe('pairs of one person', () => {
  test('are grouped by the years between them', () => {
    const at = (cosine: number) => [cosine, Math.sqrt(1 - cosine ** 2)]
    const samples = plainSamples([[1, 0], at(0.9), at(cosineOf(80) - 0.01)], ['anna', 'anna', 'anna'])
    const figures = new Figures()
    addAgeGaps(figures, compareAll(samples), [{ age: '20' }, { age: '22' }, { age: '50' }])
    expect(figures.tables[0]!.rows).toEqual([
      ['0 to 4', 0, 1],
      ['20 to 100', 0.5, 2],
    ])
  })
})

describe('the pairs of a set', () => {
  test('with a picture without a face count as two people', () => {
    const names = ['1', '2'].flatMap((fold) => ['a', 'b', 'c'].map((letter) => `${letter}${fold}`))
    const embeddings = { a: [1, 0], b: [0.9, Math.sqrt(0.19)], c: [0, 1] }
    const pictures = new Map(
      names.map((name) => [
        name,
        {
          person: name === 'c1' || name === 'c2' ? name : `person${name[1]}`,
          embedding: name === 'b2' ? undefined : Float32Array.from(embeddings[name[0] as 'a']),
        },
      ]),
    )
    const figures = new Figures()
    const pairs = ['1', '2'].flatMap((fold) => [
      { fold, a: `a${fold}`, b: `b${fold}`, same: true },
      { fold, a: `a${fold}`, b: `c${fold}`, same: false },
    ])
    addProtocol(figures, pairs, pictures)
    expect(figures.get('accuracy')).toMatchObject({ n: 4 })
    expect(figures.get('accuracy')!.value).toBeLessThan(1)
  })
})
