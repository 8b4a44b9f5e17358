import { describe, expect, test } from 'vitest'
import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import { referenceOutcome } from '#models/rules/reference.ts'
import { cosineOf, wholeScore } from '#models/rules/similarity.ts'
import { joined } from '#models/rules/templates.ts'

const embeddingModel = 'fr-feature/2'
const secondModel = 'foamliu-face/1'
/** A unit vector that has this cosine with the first axis. */
const at = (cosine: number, length = 512) =>
  Array.from({ length }, (_, i) => (i === 0 ? cosine : i === 1 ? Math.sqrt(1 - cosine ** 2) : 0))
const reference = { embedding: at(1), embeddingModel } as const
/** A portrait that has this similarity to the reference. */
const alike = (score: number) => at(cosineOf(score))
const verification = (threshold: number) => ({ type: 'Verification', threshold }) as const

describe('the comparison with a reference picture', () => {
  test.each([
    [79.99, 80, 'Fail', 79],
    [80, 80, 'Pass', 80],
    [69.999, 70, 'Fail', 69],
    [70, 70, 'Pass', 70],
    [0, 0, 'Pass', 0],
    [99.9, 100, 'Fail', 99],
    [100, 100, 'Pass', 100],
  ])('%f passes from the threshold on: %i', (score, threshold, result, similarity) => {
    expect(referenceOutcome(verification(threshold), alike(score), reference)).toEqual({ result, similarity })
  })

  test('is reported without a rule, and fails no session', () => {
    const calculated = { type: 'CalculationOnly' } as const
    expect(referenceOutcome(calculated, alike(12), reference)).toEqual({
      result: 'NotExecuted',
      similarity: 12,
    })
    expect(referenceOutcome(calculated, alike(12), undefined)).toEqual({
      result: 'NotExecuted',
      similarity: null,
    })
  })

  test('is not made without a face', () => {
    expect(referenceOutcome(verification(80), null, reference)).toEqual({
      result: 'NotExecuted',
      similarity: null,
    })
  })

  test.each([
    ['no picture', undefined],
    ['one of another model', { embedding: at(1, 128), embeddingModel: 'dlib-face/2' }],
    ['one of another length', { embedding: at(1, 300), embeddingModel }],
  ] as const)('fails if there is %s', (_, of) => {
    expect(referenceOutcome(verification(0), alike(100), of)).toEqual({ result: 'Fail', similarity: null })
  })

  test('uses both embeddings if both faces have both', () => {
    const both: BoundFace = {
      embedding: Array.from(joined({ first: at(1), second: at(1, 128) })),
      embeddingModel,
      secondModel,
    }
    const other = Array.from(joined({ first: at(1), second: at(-1, 128) }))
    const { similarity } = referenceOutcome(verification(80), other, both)
    expect(similarity).toBeLessThan(5)
    expect(referenceOutcome(verification(80), at(1), both).similarity).toBe(100)
  })
})

test.each([
  [69.9, 69],
  [70 - 1e-9, 70],
  [-1, -1],
])('a score is rounded down: %f', (score, whole) => expect(wholeScore(score)).toBe(whole))
