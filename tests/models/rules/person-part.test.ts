import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import manifest from '#models/manifest.json' with { type: 'json' }
import { embeddingLengths } from '#models/rules/embedding.ts'
import { likenessBy, personPart, poorDirections, showsPerson, sought } from '#models/rules/person-part.ts'
import { cosine, cosineOf } from '#models/rules/similarity.ts'
import { comparedVector, likenessOf } from '#models/rules/templates.ts'
import { randomEmbedding } from '../../support/drawn/random-face.ts'

const models = ['fr-feature/2', 'foamliu-face/1'] as const

describe.each(models)('what an embedding of %s shows of a person', (model) => {
  const length = embeddingLengths[model]
  const [one, other] = [randomEmbedding(1, length), randomEmbedding(2, length)]
  const { directions } = poorDirections(model)
  /** What a poor picture of a person is like: mostly what all poor pictures are like. */
  const poor = (person: number) =>
    directions.reduce(
      (sum, direction, i) => sum.map((value, at) => value + (i < 3 ? direction[at]! * 0.57 : 0)),
      randomEmbedding(person, length).map((value) => value * 0.16),
    )

  test('has nothing in the directions of poor pictures, and is the same of itself', () => {
    const part = Float32Array.from(personPart(one, model))
    for (const direction of directions) expect(cosine(part, direction)).toBeCloseTo(0, 3)
    const share = likenessBy(one, one, model) / cosine(part, part)
    expect(share).toBeCloseTo(1, 3)
  })

  test('is as alike whichever of two faces is sought', () => {
    const likeness = likenessBy(one, other, model)
    expect(likenessBy(other, one, model)).toBeCloseTo(likeness, 3)
    expect(cosine(sought(one, model), other)).toBeCloseTo(likeness, 5)
    expect(cosine(personPart(one, model), personPart(other, model))).toBeCloseTo(likeness, 3)
  })

  test('is too little where two poor pictures of strangers are alike', () => {
    const [a, b] = [poor(3), poor(4)]
    expect(cosine(a, b)).toBeGreaterThan(0.85)
    expect(Math.abs(likenessBy(a, b, model))).toBeLessThan(0.1)
    expect([a, b, one].map((embedding) => showsPerson(embedding, model))).toEqual([false, false, true])
  })

  test('is nothing of a vector of another length', () => {
    expect(showsPerson(one.subarray(1), model)).toBe(false)
  })
})

test('a face that shows too little scores 0 even against itself', () => {
  const poor = poorDirections('fr-feature/2').directions[0]!
  const { likeness, by } = likenessOf({ first: poor }, { first: poor }, { embeddingModel: 'fr-feature/2' })
  expect(likeness).toBe(cosineOf(0, by))
  const vector = comparedVector({ first: poor }, { embeddingModel: 'fr-feature/2' })
  expect(cosine(vector, vector)).toBe(0)
})

test('the directions are those of the manifest', () => {
  const bytes = readFileSync(new URL('../../../models/weights/poor-look.json', import.meta.url))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(manifest.poorLook).toEqual({ file: 'poor-look.json', sha256, bytes: bytes.length })
})
