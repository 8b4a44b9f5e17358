import { describe, expect, test } from 'vitest'
import { pairOf, toUnit } from '#models/rules/embedding.ts'
import { scoreOf } from '#models/rules/similarity.ts'
import {
  type CollectionAccess,
  createCollectionAccess,
} from '#server/features/recognition/collections/collection-access.ts'
import { makeFace } from '#server/features/recognition/collections/dominant-face.ts'
import type { NewFace } from '#server/features/recognition/store/face.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { randomEmbedding } from '../../../../support/drawn/random-face.ts'

const both = { embeddingModel: 'fr-feature/2', secondModel: 'foamliu-face/1' } as const
const pair = pairOf(both.secondModel)
const keyRing = createKeyRing(Buffer.alloc(32, 1), 'EU')
const query = { first: randomEmbedding(1), second: randomEmbedding(2, 128) }

/** A unit vector that has the given cosine with another one. */
function at(cosine: number, from: Float32Array, seed: number): Float32Array {
  const other = randomEmbedding(seed, from.length)
  const along = other.reduce((sum, value, i) => sum + value * from[i]!, 0)
  const across = toUnit(other.map((value, i) => value - along * from[i]!))
  return toUnit(from.map((value, i) => cosine * value + Math.sqrt(1 - cosine ** 2) * across[i]!))
}

/** A face with these similarities according to the first embedding and, if it has one, the second. */
function face(externalId: string, first: number, second?: number): NewFace {
  const seed = [...externalId].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7)
  return makeFace(
    externalId,
    {
      first: at(first, query.first, seed),
      second: second === undefined ? undefined : at(second, query.second, seed + 1),
    },
    both,
  )
}

const open = (store: Store, isExtended = true): CollectionAccess =>
  createCollectionAccess(store, keyRing, Date.now, isExtended ? { secondModel: both.secondModel } : {})

const add = (access: CollectionAccess, faces: readonly NewFace[], collectionId = 'c') =>
  access.change('a', collectionId, async (_, writer) => ({
    answer: undefined,
    change: writer.addSeveral(faces),
  }))

async function closest(
  access: CollectionAccess,
  atLeast = 70,
  templates: { first: Float32Array; second?: Float32Array } = query,
  among?: { externalId: string; is: boolean },
) {
  return access.use('a', 'c', async (collection) => {
    const hit = await collection.closest(templates, atLeast, among)
    return hit && { who: hit.face.externalId, score: hit.score }
  })
}

const record = (access: CollectionAccess) => access.find('a', 'c')

describe('a collection whose faces have two embeddings', () => {
  test('returns the match of both, not of the first alone', async () => {
    const access = open(createMemoryStore())
    await add(access, [face('alike', 0.5, 0.1), face('person', 0.45, 0.6)])
    expect(await closest(access)).toEqual({ who: 'person', score: expect.closeTo(scoreOf(0.525, pair), 1) })
  })

  test('applies a threshold to the score of both', async () => {
    const access = open(createMemoryStore())
    await add(access, [face('person', 0.45, 0.35)])
    const score = scoreOf(0.4, pair)
    expect(await closest(access, score - 0.1)).toMatchObject({ who: 'person' })
    expect(await closest(access, score + 0.1)).toBeUndefined()
  })

  test('is searched by the first if a picture has no second', async () => {
    const access = open(createMemoryStore())
    await add(access, [face('alike', 0.5, 0.1), face('person', 0.45, 0.6)])
    expect(await closest(access, 70, { first: query.first })).toEqual({
      who: 'alike',
      score: expect.closeTo(scoreOf(0.5), 1),
    })
  })

  test('restricts a search to an external id', async () => {
    const access = open(createMemoryStore())
    await add(access, [face('alike', 0.5, 0.3), face('person', 0.45, 0.6)])
    const among = { externalId: 'alike', is: true }
    expect(await closest(access, 70, query, among)).toMatchObject({ who: 'alike' })
    expect(await closest(access, 70, query, { ...among, is: false })).toMatchObject({ who: 'person' })
  })

  test('searches more faces than are ranked again', async () => {
    const access = open(createMemoryStore())
    const crowd = Array.from({ length: 300 }, (_, i) => face(`stranger ${i}`, 0.1 + i / 1000, 0))
    await add(access, [...crowd, face('person', 0.39, 0.7)])
    expect(await closest(access)).toMatchObject({ who: 'person' })
  })

  test('ranks a face that was added without the pack by its one embedding, on its scale', async () => {
    const store = createMemoryStore()
    await add(open(store), [face('person', 0.42, 0.6)])
    await add(open(store, false), [face('later', 0.6)])
    expect(await closest(open(store))).toEqual({ who: 'later', score: expect.closeTo(scoreOf(0.6), 1) })
    expect(await record(open(store))).toMatchObject(both)
  })

  test('works without the pack, by the first embeddings, and with it again', async () => {
    const store = createMemoryStore()
    await add(open(store), [face('alike', 0.5, 0.1), face('person', 0.45, 0.6)])
    expect(await closest(open(store, false))).toMatchObject({ who: 'alike' })
    expect(await closest(open(store))).toMatchObject({ who: 'person' })
  })
})

describe('a collection whose faces have one embedding', () => {
  test('keeps one under the extended pack: new faces have one, and scores are unchanged', async () => {
    const store = createMemoryStore()
    await add(open(store, false), [face('old', 0.5)])
    await add(open(store), [face('new', 0.45, 0.9)])
    expect(await closest(open(store))).toEqual({ who: 'old', score: expect.closeTo(scoreOf(0.5), 1) })
    expect((await record(open(store)))?.secondModel).toBeUndefined()
    const kept = await open(store).use('a', 'c', async (collection) => {
      const faces = []
      for await (const one of collection.list()) faces.push(one)
      return faces
    })
    expect(kept.map(({ second }) => second)).toEqual([undefined, undefined])
  })
})
