import { describe, expect, test } from 'vitest'
import { isComparable, likenessTo, noLikeness, poorLookOf } from '#models/rules/quality/poor-look.ts'
import { cosine } from '#models/rules/similarity.ts'
import { likenessOf } from '#models/rules/templates.ts'
import { createMemoryGallery } from '#server/features/recognition/index/memory/memory-gallery.ts'
import { randomEmbedding } from '../../../support/drawn/random-face.ts'
import { poorEmbedding } from '../../../support/recognition/poor-embedding.ts'

const model = 'fr-feature/2'
const models = { embeddingModel: model } as const
const alike = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  likenessOf({ first: a }, { first: b }, models).likeness

describe('the likeness of two faces', () => {
  test('is less than their cosine if both show little of a person', () => {
    const [a, b] = [poorEmbedding(1, 0.15), poorEmbedding(2, 0.15)]
    expect(poorLookOf(a, model).shown).toBeLessThan(0.8)
    expect(cosine(a, b)).toBeGreaterThan(0.1)
    expect(alike(a, b)).toBeLessThan(cosine(a, b) - 0.05)
  })

  test('is their cosine if one of them is clear', () => {
    const [clear, poor] = [randomEmbedding(1), poorEmbedding(1, 0.12)]
    expect(poorLookOf(clear, model).shown).toBeGreaterThan(0.95)
    expect(alike(clear, poor)).toBeCloseTo(cosine(clear, poor), 6)
  })

  test('is never above their cosine, which bounds it for an index', () => {
    for (let i = 0; i < 200; i++) {
      const [a, b] = [poorEmbedding(i, (i % 10) / 10), poorEmbedding(i + 1000, (i % 7) / 7)]
      expect(alike(a, b)).toBeLessThanOrEqual(cosine(a, b) + 1e-6)
    }
  })

  test('is zero with a face that shows too little, which does not even match itself', () => {
    const nothing = poorEmbedding(1, 0.99)
    expect(isComparable(nothing)).toBe(false)
    expect(isComparable(randomEmbedding(1))).toBe(true)
    expect(alike(nothing, nothing)).toBe(noLikeness)
    expect(alike(nothing, randomEmbedding(1))).toBe(noLikeness)
  })

  test('is the cosine for a model without a learned poor look', () => {
    const [a, b] = [randomEmbedding(1, 128), randomEmbedding(2, 128)]
    expect(likenessTo(a, 'dlib-face/2')(cosine(a, b), b)).toBe(cosine(a, b))
  })
})

test('a search ranks poor faces by their likeness, and leaves out those that are near only by their cosine', async () => {
  const faces = createMemoryGallery()
  const embeddings = Array.from({ length: 60 }, (_, i) => poorEmbedding(i, 0.02 + (i % 5) / 50))
  for (const [i, embedding] of embeddings.entries())
    faces.add({
      faceId: `face ${String(i).padStart(2, '0')}`,
      externalId: null,
      embeddingModel: model,
      embedding,
    })
  const sought = poorEmbedding(3, 0.1)
  const scanned = embeddings
    .map((embedding, i) => ({ i, likeness: alike(sought, embedding) }))
    .sort((a, b) => b.likeness - a.likeness)
  const found = await faces.nearest(sought, 0.05, 10)
  expect(found.length).toBeGreaterThan(0)
  const expected = scanned.filter(({ likeness }) => likeness >= 0.05).slice(0, 10)
  expect(found.map(({ face }) => Number(face.faceId.slice(5)))).toEqual(expected.map(({ i }) => i))
  const near = embeddings.filter((embedding) => cosine(sought, embedding) >= expected.at(-1)!.likeness)
  expect(near.length).toBeGreaterThan(expected.length)
})
