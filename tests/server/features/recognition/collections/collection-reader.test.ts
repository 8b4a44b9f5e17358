import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddingModel, embeddingLengths, embeddingModel } from '#models/rules/embedding.ts'
import { createCollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import { createSearchThreads } from '#server/features/recognition/index/threads/search-threads.ts'
import { startSearchThread } from '#server/features/recognition/index/threads/start-search-thread.ts'
import { createThreadedGallery } from '#server/features/recognition/index/threads/threaded-gallery.ts'
import { keyOfCollection } from '#server/features/recognition/store/collection.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createPopulation } from '../../../../support/drawn/unit-vectors.ts'
import { searchWorker } from '../../../../support/programs/server-program.ts'

const length = embeddingLengths[embeddingModel]
const threads = createSearchThreads({
  count: 2,
  start: () => startSearchThread(searchWorker, length),
  onFailure: (error) => {
    throw error
  },
})
afterAll(() => threads.close())

const keyRing = createKeyRing(Buffer.alloc(32, 3), 'EU')
const population = createPopulation(5, length)
const createGallery = (model: EmbeddingModel) => createThreadedGallery(threads, model)
const accessTo = (store: Store) => createCollectionAccess(store, keyRing, Date.now, { createGallery })

/** More faces than are kept without threads. */
const count = 600
let store: Store
let vectors: Float32Array[]
let faceIds: string[]

/** Writes faces behind the collection's back, as another process would. */
beforeEach(async () => {
  store = createMemoryStore()
  const access = accessTo(store)
  await access.change('account', 'people', async (_, writer) => ({
    answer: undefined,
    change: writer.make(),
  }))
  const { place, record } = await access.use('account', 'people', async (people) => people)
  const key = keyOfCollection(keyRing, 'account', record)
  vectors = Array.from({ length: count }, () => population.draw())
  const added = vectors.map((embedding, i) =>
    access.faceStore.writes.add(place, key, {
      externalId: `person ${i}`,
      embeddingModel: i === 3 ? 'another/1' : embeddingModel,
      embedding,
    }),
  )
  faceIds = added.map(({ faceId }) => faceId)
  await store.commit(
    added.flatMap(({ writes }) => writes),
    [],
  )
})

/** A face's key in the store, and its record. */
async function faceEntry(faceId: string) {
  for await (const entry of store.list('face/'))
    if (Buffer.from(entry.value).includes(Buffer.from(faceId.replaceAll('-', ''), 'hex'))) return entry
  throw new Error('not stored')
}

describe('a collection that is loaded into threads', () => {
  test('finds each face and its external id; those of another model are counted and not compared', async () => {
    await accessTo(store).use('account', 'people', async (people) => {
      const faces = await people.gallery()
      expect([faces.size, faces.comparableCount]).toEqual([count, count - 1])
      for (const i of [0, 4, 299, 599])
        expect((await people.closest({ first: vectors[i]! }, 99))?.face).toEqual({
          faceId: faceIds[i],
          externalId: `person ${i}`,
        })
      expect(await people.closest({ first: vectors[3]! }, 99)).toBeUndefined()
      expect([await faces.hasExternalId('person 3'), await faces.hasExternalId('person 600')]).toEqual([
        true,
        false,
      ])
    })
  })

  test('fails if one of the faces was altered, and recovers when that one is repaired', async () => {
    const access = accessTo(store)
    const { key, value } = await faceEntry(faceIds[200]!)
    const sound = Uint8Array.from(value)
    const altered = Uint8Array.from(value)
    altered[altered.length - 20]! ^= 1
    const load = () => access.use('account', 'people', async (people) => (await people.gallery()).size)
    await store.put(key, altered)
    await expect(load()).rejects.toThrow()
    await store.put(key, sound)
    expect(await load()).toBe(count)
  })
})
