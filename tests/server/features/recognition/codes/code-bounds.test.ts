import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import { cosineOf } from '#models/rules/similarity.ts'
import { codeBounds, estimateSpread, hammingSpread } from '#server/features/recognition/codes/code-bounds.ts'
import { createRotation } from '#server/features/recognition/codes/rotation.ts'
import { createEstimator, hammingDistance, signCode } from '#server/features/recognition/codes/sign-code.ts'
import { randomEmbedding } from '../../../../support/drawn/random-face.ts'
import { withCosine } from '../../../../support/recognition/with-cosine.ts'

const models = ['fr-feature/2', 'dlib-face/2'] as const
const draws = 4000

/** The same ones at each run. */
function keyOf(number: number): Buffer {
  return createHash('sha256').update(`rotation ${number}`).digest()
}

/** Codes of two vectors with a cosine, under many rotations. */
function drawn(model: EmbeddingModel, cosine: number) {
  const length = embeddingLengths[model]
  return Array.from({ length: draws }, (_, i) => {
    const sought = randomEmbedding(i % 50, length)
    const mate = withCosine(sought, randomEmbedding(1000 + (i % 50), length), cosine)
    const rotation = createRotation(keyOf(i), length)
    const [own, other] = [rotation(sought), signCode(rotation(mate))]
    const bits = hammingDistance(signCode(own), other)
    return { bits, estimate: createEstimator(own)(other, 0) }
  })
}

function spreadOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / values.length) }
}

describe.each(models)('the codes of %s', (model) => {
  test.each([0.2, 0.42, 0.6, 0.94])('spread as the formulas have it at a cosine of %d', (cosine) => {
    const all = drawn(model, cosine)
    const length = embeddingLengths[model]
    const [bits, estimates] = [spreadOf(all.map((one) => one.bits)), spreadOf(all.map((one) => one.estimate))]
    const expected = [hammingSpread(cosine, length), estimateSpread(cosine, length)] as const
    for (const [i, found] of [bits, estimates].entries()) {
      // Five standard errors of so many draws.
      expect(Math.abs(found.mean - expected[i]!.mean)).toBeLessThan(
        (5 * expected[i]!.deviation) / Math.sqrt(draws),
      )
      expect(Math.abs(found.deviation / expected[i]!.deviation - 1)).toBeLessThan(5 / Math.sqrt(2 * draws))
    }
  })

  test('leave out hardly anybody who just reaches the score of a match', () => {
    const cosine = cosineOf(80, model)
    const { mostBits, leastEstimate } = codeBounds(cosine, model)
    const missed = drawn(model, cosine).filter(
      ({ bits, estimate }) => bits > mostBits || estimate < leastEstimate,
    )
    // 1 in 1,000 is allowed: four on average, and more than twelve hardly ever.
    expect(missed.length).toBeLessThanOrEqual(12)
  })

  test('leave out nearly all strangers there', () => {
    const { mostBits, leastEstimate } = codeBounds(cosineOf(80, model), model)
    const strangers = drawn(model, 0)
    const near = strangers.filter(({ bits, estimate }) => bits <= mostBits && estimate >= leastEstimate)
    expect(near.length / strangers.length).toBeLessThan(0.001)
  })
})

test('bounds never reach further than a code does', () => {
  expect(codeBounds(-1, 'fr-feature/2').mostBits).toBe(512)
  expect(codeBounds(1, 'fr-feature/2')).toMatchObject({ mostBits: 0 })
})
