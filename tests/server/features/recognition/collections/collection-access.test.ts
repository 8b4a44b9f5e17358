import { describe, expect, test } from 'vitest'
import { embeddingModel } from '#models/rules/embedding.ts'
import {
  type CollectionWork,
  createCollectionAccess,
} from '#server/features/recognition/collections/collection-access.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { randomEmbedding } from '../../../../support/drawn/random-face.ts'

const place = ['account', 'collection'] as const

/** A collection searched in memory, or by a shared index without servers, which finds nobody. */
async function open(faceIndex: 'memory' | 'postgres') {
  const access = createCollectionAccess(
    createMemoryStore(),
    createKeyRing(Buffer.alloc(32, 1), 'EU'),
    Date.now,
    { faceServers: { partitions: [] }, faceIndex },
  )
  await access.change(...place, async (_, writer) => ({ answer: undefined, change: writer.make() }))
  const add = () =>
    access.change(...place, async (_, writer) => {
      const added = writer.add({ externalId: null, embeddingModel, embedding: randomEmbedding(1) })
      return { answer: added.faceId, change: added }
    })
  let works = 0
  const work: CollectionWork<number> = async (collection) => {
    await collection.gallery()
    return ++works
  }
  /** The order in which a turn, and a read that comes during it, come to their ends. */
  async function readInTurn(end: (reading: Promise<unknown>) => Promise<unknown>): Promise<string[]> {
    const order: string[] = []
    let reading: Promise<unknown> | undefined
    await access.use(...place, async () => {
      reading = access.read(...place, async () => void order.push('read'))
      await end(reading)
      order.push('turn')
    })
    await reading
    return order
  }
  return { access, add, work, readInTurn }
}

describe('work ahead of a turn', () => {
  test('with a shared index hands its answer on if the collection has not changed', async () => {
    const { access, work } = await open('postgres')
    const inTurn = await access.ahead(...place, work)
    expect(await access.use(...place, inTurn)).toBe(1)
    expect(await access.use(...place, work)).toBe(2)
  })

  test('with a shared index is done again if the collection has changed', async () => {
    const { access, add, work } = await open('postgres')
    const inTurn = await access.ahead(...place, work)
    await add()
    expect(await access.use(...place, inTurn)).toBe(2)
  })

  test('is not done if the collection is searched in memory', async () => {
    const { access, work } = await open('memory')
    const inTurn = await access.ahead(...place, work)
    expect(await access.use(...place, inTurn)).toBe(1)
  })

  test('decides once: a face that was added ahead is stored with the decision', async () => {
    const { access } = await open('postgres')
    const decide = await access.ahead(...place, async (_, writer) => {
      const added = writer.add({ externalId: null, embeddingModel, embedding: randomEmbedding(2) })
      return { answer: added.faceId, change: added }
    })
    const faceId = await access.change(...place, decide)
    expect(await access.read(...place, (collection) => collection.get(faceId))).toMatchObject({ faceId })
  })
})

describe('a read', () => {
  test('does not wait for the turn of a collection with a shared index', async () => {
    const { readInTurn } = await open('postgres')
    expect(await readInTurn((reading) => reading)).toEqual(['read', 'turn'])
  })

  test('waits for the turn of a collection that is searched in memory', async () => {
    const { readInTurn } = await open('memory')
    expect(await readInTurn(async () => undefined)).toEqual(['turn', 'read'])
  })
})
