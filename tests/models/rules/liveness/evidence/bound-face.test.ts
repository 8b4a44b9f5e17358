import { describe, expect, test } from 'vitest'
import { toUnit } from '#models/rules/embedding.ts'
import { isOfBoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import { matchScore } from '#models/rules/search-threshold.ts'
import { cosineOf } from '#models/rules/similarity.ts'
import { joined, type TemplateModels } from '#models/rules/templates.ts'

const axis = (i: number, length: number) => Array.from({ length }, (_, at) => (at === i ? 1 : 0))
/** A unit vector that has this cosine with the first axis. */
const near = (cosine: number, length: number) =>
  Array.from(
    toUnit(axis(0, length).map((one, i) => one * cosine + (i === 1 ? Math.sqrt(1 - cosine ** 2) : 0))),
  )

const one: TemplateModels = { embeddingModel: 'fr-feature/2' }
const two: TemplateModels = { ...one, secondModel: 'foamliu-face/1' }
const limit = cosineOf(matchScore)

describe('isOfBoundFace', () => {
  const bound = { ...one, embedding: axis(0, 512) }

  test.each([
    ['the same picture', 1, true],
    ['just alike enough', limit + 1e-3, true],
    ['just not', limit - 1e-3, false],
    ['somebody else', 0, false],
  ])('%s: %d', (_, cosine, same) => {
    expect(isOfBoundFace(near(cosine, 512), bound)).toBe(same)
  })

  test('matches no one without a portrait or without a passkey', () => {
    expect(isOfBoundFace(null, bound)).toBe(false)
    expect(isOfBoundFace(near(1, 512), undefined)).toBe(false)
  })

  test('uses both embeddings if both have two', () => {
    const both = (first: number, second: number) =>
      Array.from(joined({ first: near(first, 512), second: near(second, 128) }))
    const boundByTwo = { ...two, embedding: both(1, 1) }
    expect(isOfBoundFace(both(1, 1), boundByTwo)).toBe(true)
    expect(isOfBoundFace(both(limit, 0), boundByTwo)).toBe(false)
    expect(isOfBoundFace(near(1, 512), boundByTwo)).toBe(true)
  })
})
