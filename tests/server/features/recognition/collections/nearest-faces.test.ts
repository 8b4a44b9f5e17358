import { describe, expect, test } from 'vitest'
import { pairOf } from '#models/rules/embedding.ts'
import { scoreOf } from '#models/rules/similarity.ts'
import { likenessOf } from '#models/rules/templates.ts'
import { createCollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import { makeFace } from '#server/features/recognition/collections/dominant-face.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { accountId } from '../../../../support/collection-visitor.ts'
import { randomEmbedding } from '../../../../support/drawn/random-face.ts'
import { formerAt, processOf, seen } from '../../../../support/two-models.ts'

const both = { embeddingModel: 'fr-feature/2', secondModel: 'foamliu-face/1' } as const

describe('faces with two embeddings', () => {
  const query = { first: randomEmbedding(1), second: randomEmbedding(2, 128) }
  /** A blend that uses a different share for each embedding. */
  const mixed = (own: Float32Array, other: Float32Array, share: number) => {
    const sum = own.map((value, i) => share * value + (1 - share) * other[i]!)
    const length = Math.hypot(...sum)
    return sum.map((value) => value / length)
  }
  const templatesOf = (i: number) => ({
    first: mixed(query.first, randomEmbedding(100 + i), 0.3 + ((i * 7) % 50) / 100),
    second: mixed(query.second, randomEmbedding(1000 + i, 128), 0.3 + ((i * 13) % 50) / 100),
  })

  async function search(count: number, most: number) {
    const access = createCollectionAccess(
      createMemoryStore(),
      createKeyRing(Buffer.alloc(32, 1), 'EU'),
      Date.now,
      { secondModel: both.secondModel },
    )
    const faceIds = await access.change('a', 'c', async (_, writer) => {
      const faces = Array.from({ length: count }, (_, i) => makeFace(`p${i % 5}`, templatesOf(i), both))
      const change = writer.addSeveral(faces)
      return { answer: change.faceIds, change }
    })
    const scanned = faceIds
      .map((faceId, i) => ({ faceId, ...likenessOf(query, templatesOf(i), both), person: i % 5 }))
      .filter(({ by }) => by === pairOf(both.secondModel))
      .map((one) => ({ ...one, score: scoreOf(one.likeness, one.by) }))
      .sort((a, b) => b.score - a.score)
    const found = await access.use('a', 'c', async (collection) => ({
      all: await collection.nearest(query, 40, most, false),
      people: await collection.nearest(query, 40, most, true),
    }))
    return { scanned: scanned.filter(({ score }) => score >= 40), ...found }
  }

  test('are ranked by both, as by a scan of all', async () => {
    const { scanned, all, people } = await search(300, 20)
    expect(scanned.length).toBeGreaterThan(20)
    expect(all.isExact).toBe(true)
    expect(all.matches.map(({ face }) => face.faceId)).toEqual(
      scanned.slice(0, 20).map(({ faceId }) => faceId),
    )
    const best = [0, 1, 2, 3, 4].map((person) => scanned.find((one) => one.person === person)!)
    const ranked = best.toSorted((a, b) => b.score - a.score)
    expect(people.matches.map(({ face }) => face.faceId)).toEqual(ranked.map(({ faceId }) => faceId))
  })

  test('are reported as partly ranked if too many are near', async () => {
    const { all } = await search(1100, 20)
    expect(all.isExact).toBe(false)
  })
})

test('include faces of the former model, each on its own scale', async () => {
  const store = createMemoryStore()
  const before = processOf(store, 'before')
  await before.add('c', [1, 2])
  const now = processOf(store, 'both')
  await now.add('c', [3])
  const query = { first: seen(3).first, former: formerAt(1, 90) }
  const nearest = await now.access.use(accountId, 'c', (collection) =>
    collection.nearest(query, 80, 10, true),
  )
  expect(nearest.matches.map(({ face, score }) => [face.externalId, Math.round(score)])).toEqual([
    ['person 3', 100],
    ['person 1', 90],
  ])
})
