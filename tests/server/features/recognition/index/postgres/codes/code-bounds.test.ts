import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import { cosineOf } from '#models/rules/similarity.ts'
import {
  codeBounds,
  estimateSpread,
  hammingSpread,
} from '#server/features/recognition/index/postgres/codes/code-bounds.ts'
import { createRotation } from '#server/features/recognition/index/postgres/codes/rotation.ts'
import {
  createEstimator,
  hammingDistance,
  signCode,
} from '#server/features/recognition/index/postgres/codes/sign-code.ts'
import { some } from '../../../../../../../e2e/support/length.ts'
import { randomEmbedding } from '../../../../../../support/drawn/random-face.ts'
import { withCosine } from '../../../../../../support/recognition/with-cosine.ts'

const models = ['fr-feature/2', 'dlib-face/2'] as const
const count = 4000
const inGeneral = [0.2, 0.42, 0.6, 0.94] as const

/** Uses the same keys in every run. */
function keyOf(number: number): Buffer {
  return createHash('sha256').update(`rotation ${number}`).digest()
}

interface Draw {
  readonly bits: number
  readonly estimate: number
}

/** Codes for two vectors with each of these cosines, under many rotations. All of them share a rotation and its estimator. */
function drawn(model: EmbeddingModel, cosines: readonly number[]): ReadonlyMap<number, readonly Draw[]> {
  const length = embeddingLengths[model]
  const people = Array.from({ length: 50 }, (_, i) => {
    const sought = randomEmbedding(i, length)
    const away = randomEmbedding(1000 + i, length)
    return { sought, mates: cosines.map((cosine) => withCosine(sought, away, cosine)) }
  })
  const draws = cosines.map((): Draw[] => [])
  for (let i = 0; i < count; i++) {
    const { sought, mates } = people[i % people.length]!
    const rotation = createRotation(keyOf(i), length)
    const own = rotation(sought)
    const [code, estimate] = [signCode(own), createEstimator(own)]
    for (const [at, mate] of mates.entries()) {
      const other = signCode(rotation(mate))
      draws[at]!.push({ bits: hammingDistance(code, other), estimate: estimate(other, 0) })
    }
  }
  return new Map(cosines.map((cosine, at) => [cosine, draws[at]!]))
}

function spreadOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / values.length) }
}

describe.each(some(models))('the codes of %s', (model) => {
  const ofMatch = cosineOf(80, model)
  let all: ReadonlyMap<number, readonly Draw[]>
  beforeAll(() => {
    all = drawn(model, [...inGeneral, ofMatch, 0])
  })

  test.each(inGeneral)('spread as the formulas have it at a cosine of %d', (cosine) => {
    const draws = all.get(cosine)!
    const length = embeddingLengths[model]
    const [bits, estimates] = [
      spreadOf(draws.map((one) => one.bits)),
      spreadOf(draws.map((one) => one.estimate)),
    ]
    const expected = [hammingSpread(cosine, length), estimateSpread(cosine, length)] as const
    for (const [i, found] of [bits, estimates].entries()) {
      // Five standard errors for this number of draws.
      expect(Math.abs(found.mean - expected[i]!.mean)).toBeLessThan(
        (5 * expected[i]!.deviation) / Math.sqrt(count),
      )
      expect(Math.abs(found.deviation / expected[i]!.deviation - 1)).toBeLessThan(5 / Math.sqrt(2 * count))
    }
  })

  test('leave out almost no mate who just reaches the score of a match', () => {
    const { mostBits, leastEstimate } = codeBounds(ofMatch, model)
    const missed = all
      .get(ofMatch)!
      .filter(({ bits, estimate }) => bits > mostBits || estimate < leastEstimate)
    // 1 in 1,000 is allowed, which is four on average and hardly ever more than twelve.
    expect(missed.length).toBeLessThanOrEqual(12)
  })

  test('leave out nearly all strangers there', () => {
    const { mostBits, leastEstimate } = codeBounds(ofMatch, model)
    const strangers = all.get(0)!
    const near = strangers.filter(({ bits, estimate }) => bits <= mostBits && estimate >= leastEstimate)
    expect(near.length / strangers.length).toBeLessThan(0.001)
  })
})

test('bounds never reach further than a code does', () => {
  expect(codeBounds(-1, 'fr-feature/2').mostBits).toBe(512)
  expect(codeBounds(1, 'fr-feature/2')).toMatchObject({ mostBits: 0 })
})
