import { describe, expect, test } from 'vitest'
import { Figures } from '#lab/evaluate/figures.ts'
import { addGalleryFigures, type Gallery } from '#lab/evaluate/identification/gallery-figures.ts'
import { identificationRates } from '#lab/evaluate/identification/identification-rates.ts'
import { likenessToOwn, nearestReal, nearestSynthetic } from '#lab/evaluate/identification/nearest-others.ts'
import { packSamples } from '#lab/evaluate/recognition/samples.ts'

/** A unit vector in the plane at an angle in degrees, so that two vectors' cosine follows from the angle between them. */
const at = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
const cosineOf = (degrees: number) => expect.closeTo(Math.cos((degrees * Math.PI) / 180), 5)

/** Anna is enrolled at 0 degrees and seen at 20, Ben is enrolled at 90 and seen at 60, and Cem is enrolled at 25. */
const samples = packSamples([at(0), at(20), at(90), at(60), at(25)], ['anna', 'anna', 'ben', 'ben', 'cem'])

describe('a search among many', () => {
  test('compares with the enrolled pictures of other people', () => {
    expect([...nearestReal(samples, 2)]).toEqual([25, 5, 65, 35, 25].map(cosineOf))
  })

  test('compares with only the given number of them', () => {
    const one = nearestReal(samples, 1)
    expect(one.every((cosine, i) => cosine <= nearestReal(samples, 2)[i]!)).toBe(true)
    expect([...one]).not.toEqual([...nearestReal(samples, 2)])
  })

  test("compares with the person's own picture unless it is the enrolled one", () => {
    expect([...likenessToOwn(samples)]).toEqual([
      Number.NaN,
      cosineOf(20),
      Number.NaN,
      cosineOf(30),
      Number.NaN,
    ])
  })

  test('compares with each synthetic person up to the size', async () => {
    let drawn = 0
    // The 60th one is at Ben's picture. All others are far away from everything.
    const population = {
      length: 2,
      draw: (into: Float32Array, place = 0) => into.set(++drawn === 60 ? at(60) : at(200), place),
    }
    const [few, more] = await nearestSynthetic(samples, population, [50, 100])
    expect(few![3]).toEqual(cosineOf(140))
    expect(more![3]).toEqual(cosineOf(0))
    expect(drawn).toBe(100)
  })
})

describe('false positives and negatives', () => {
  const searches = {
    persons: [0, 0, 1, 1],
    others: [0.1, 0.5, 0.3, 0.6],
    own: [Number.NaN, 0.45, Number.NaN, 0.7],
  }

  test.each([
    [0.2, 0.75, 0.5],
    [0.48, 0.5, 0.5],
    [0.65, 0, 0.5],
    [0.75, 0, 1],
  ])('at %d: %d of strangers get a match, %d of the enrolled are missed', (threshold, positive, negative) => {
    expect(identificationRates(searches, threshold)).toEqual({
      falsePositive: positive,
      falseNegative: negative,
    })
  })

  test("an enrolled person with another person's match is missed, at any threshold", () => {
    expect(identificationRates(searches, 0).falseNegative).toBe(0.5)
  })

  test('count each person by their weight', () => {
    expect(identificationRates(searches, 0.55, [1, 3])).toEqual({
      falsePositive: 3 / 8,
      falseNegative: 1 / 4,
    })
  })
})

describe('the largest collection', () => {
  /** A hundred people, each enrolled and seen once. */
  const many = packSamples(
    Array.from({ length: 200 }, (_, i) => [Math.cos(i >> 1), Math.sin(i >> 1)]),
    Array.from({ length: 200 }, (_, i) => String(i >> 1)),
  )
  const gallery = (size: number, found: number): Gallery => ({
    name: `${size / 1000}k`,
    kind: 'synthetic',
    size,
    others: Float32Array.from({ length: 200 }, (_, i) => (i < found ? 0.9 : 0.1)),
  })

  test.each([
    ['is the last before strangers find somebody too often', [2, 2, 40], 2000],
    ['is none where the first one is too large already', [40, 2, 2], 0],
    ['is the last one where all are small enough', [2, 2, 2], 5000],
  ])('%s', (_, [first, second, third], largest) => {
    const figures = new Figures()
    addGalleryFigures(figures, many, [gallery(1000, first!), gallery(2000, second!), gallery(5000, third!)])
    expect(figures.get('largestCollection')?.value).toBe(largest)
    expect(figures.get('1k.fpirAtScore90')?.value).toBe(first! / 200)
    expect(figures.get('2k.fpirAtScore90')).toBeUndefined()
  })
})
