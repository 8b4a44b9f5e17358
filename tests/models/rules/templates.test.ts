import { describe, expect, test } from 'vitest'
import { pairOf, toUnit } from '#models/rules/embedding.ts'
import { cosine } from '#models/rules/similarity.ts'
import { joined, likenessOf, separated } from '#models/rules/templates.ts'
import { randomEmbedding } from '../../support/drawn/random-face.ts'

const models = { embeddingModel: 'fr-feature/2', secondModel: 'foamliu-face/1' } as const
const face = (seed: number) => ({ first: randomEmbedding(seed), second: randomEmbedding(seed + 1000, 128) })
const halfway = (a: Float32Array, b: Float32Array) => toUnit(a.map((value, i) => value + b[i]!))

describe('two embeddings joined', () => {
  test('form one unit vector, whose cosine is the mean of both', () => {
    const [a, stranger] = [face(1), face(2)]
    const b = { first: halfway(a.first, stranger.first), second: stranger.second }
    const mean = (cosine(a.first, b.first) + cosine(a.second, b.second)) / 2
    expect(cosine(joined(a), joined(a))).toBeCloseTo(1, 6)
    expect(cosine(joined(a), joined(b))).toBeCloseTo(mean, 6)
    expect(likenessOf(a, b, models)).toEqual({
      likeness: expect.closeTo(mean, 6),
      by: pairOf('foamliu-face/1'),
    })
  })

  test('are separated again', () => {
    const { first, second } = separated(joined(face(3)), models)
    expect(cosine(first, face(3).first)).toBeCloseTo(1, 6)
    expect(cosine(second!, face(3).second)).toBeCloseTo(1, 6)
  })

  test('leave a single embedding unchanged, whatever the models', () => {
    const { first } = face(4)
    expect(joined({ first })).toEqual(first)
    expect(separated(first, models)).toEqual({ first: Array.from(first) })
    expect(separated(first, { embeddingModel: 'fr-feature/2' }).second).toBeUndefined()
  })
})

describe('the likeness of two faces', () => {
  const whole = face(5)
  const { second, ...half } = whole

  test.each([
    ['of which one has one embedding', whole, half, models],
    ['of which the other has one embedding', half, whole, models],
    ['where there is one network', whole, whole, { embeddingModel: 'fr-feature/2' } as const],
  ])('%s is that of the first', (_, a, b, used) => {
    expect(second).toHaveLength(128)
    expect(likenessOf(a, b, used)).toEqual({ likeness: expect.closeTo(1, 6), by: 'fr-feature/2' })
  })
})
