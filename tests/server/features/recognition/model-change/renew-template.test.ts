import { afterAll, beforeAll, expect, test } from 'vitest'
import { embeddingLengths } from '#models/rules/embedding.ts'
import { createErasure } from '#server/features/recognition/erasure/erasure.ts'
import { createSearchThreads } from '#server/features/recognition/index/threads/search-threads.ts'
import { startSearchThread } from '#server/features/recognition/index/threads/start-search-thread.ts'
import { createThreadedGallery } from '#server/features/recognition/index/threads/threaded-gallery.ts'
import { createThreadsOfModels } from '#server/features/recognition/index/threads/threads-of-models.ts'
import { renewTemplate } from '#server/features/recognition/model-change/renew-template.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { accountId } from '../../../../support/collection-visitor.ts'
import { searchWorker } from '../../../../support/programs/server-program.ts'
import { describeOnSharedStores } from '../../../../support/stores.ts'
import { formerAt, processOf, seen } from '../../../../support/two-models.ts'

const threads = createThreadsOfModels((model) =>
  createSearchThreads({
    count: 2,
    start: () => startSearchThread(searchWorker, embeddingLengths[model]),
    onFailure: (error) => {
      throw error
    },
  }),
)
afterAll(() => threads.close())

const people = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)
const only = 'dlib-face/2'
const both = 'dlib-face/2 and fr-feature/2'
/** The person as the current model sees them. The former model sees a stranger. */
const newOnly = (person: number) => ({ first: seen(person).first, former: seen(person + 5000).former })
/** The other way round. */
const oldOnly = (person: number) => ({ first: seen(person + 5000).first, former: seen(person).former })

let collections = 0
let fresh = 0
const newId = () => `collection ${++collections}`

describeOnSharedStores('a collection of the former model', (shared) => {
  let store: Store
  let before: ReturnType<typeof processOf>
  let one: ReturnType<typeof processOf>
  let other: ReturnType<typeof processOf>
  beforeAll(async () => {
    store = await shared.open()
    before = processOf(store, 'before')
    one = processOf(await shared.open(), 'both')
    other = processOf(await shared.open(), 'both', {
      createGallery: (model) => createThreadedGallery(threads.of(model), model),
    })
  })

  test.each([10, 700])(
    'finds a returning person, and gives the face the new embedding: %i faces',
    async (count) => {
      const id = newId()
      const faceIds = await before.add(id, people(count))
      expect(await other.search(id, newOnly(7))).toBeUndefined()
      expect(await one.models(id)).toEqual({ [only]: count })
      expect(await one.search(id, seen(7))).toBe(faceIds[7])
      expect(await one.models(id)).toEqual({ [only]: count - 1, [both]: 1 })
      for (const process of [one, other]) {
        expect(await process.search(id, newOnly(7))).toBe(faceIds[7])
        expect(await process.search(id, oldOnly(7))).toBeUndefined()
        expect(await process.search(id, oldOnly(8), 99.5)).toBe(faceIds[8])
      }
      expect(await before.search(id, { first: seen(7).former! })).toBe(faceIds[7])
    },
  )

  test('adds new faces with both embeddings, so that the previous version finds them', async () => {
    const id = newId()
    await before.add(id, people(3))
    const [faceId] = await one.add(id, [50])
    expect(await one.models(id)).toEqual({ [only]: 3, [both]: 1 })
    expect(await other.search(id, newOnly(50))).toBe(faceId)
    expect(await before.search(id, { first: seen(50).former! })).toBe(faceId)
  })

  test('is refused if the former model is not configured', async () => {
    const id = newId()
    await before.add(id, people(3))
    const after = processOf(store, 'after')
    await expect(after.search(id, seen(1))).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('loses both embeddings with the face, and with the person', async () => {
    const id = newId()
    const [first, second, third] = people(3, ++fresh * 10_000)
    const faceIds = await before.add(id, [first!, second!, third!])
    for (const person of [first!, second!]) await one.search(id, seen(person))
    await one.access.change(accountId, id, async (_, writer) => {
      const change = await writer.remove([faceIds[0]!])
      return { answer: undefined, change }
    })
    expect(await createErasure(store, other.access).removeByExternalId(accountId, `person ${second}`)).toBe(1)
    for (const process of [one, other]) {
      expect(await process.search(id, seen(first!))).toBeUndefined()
      expect(await process.search(id, seen(second!))).toBeUndefined()
      expect(await process.search(id, seen(third!))).toBe(faceIds[2])
    }
  })
})

test.each([
  [89.9, only],
  [90.1, both],
])('a match at %d leaves a face of %s', async (score, models) => {
  const store = createMemoryStore()
  await processOf(store, 'before').add('c', [1])
  const process = processOf(store, 'both')
  const found = await process.search('c', { first: seen(1).first, former: formerAt(1, score) })
  expect(found).toBeDefined()
  expect(await process.models('c')).toEqual({ [models]: 1 })
})

test('requires a higher score the more faces there are', async () => {
  const store = createMemoryStore()
  await processOf(store, 'before').add('c', people(3000))
  const process = processOf(store, 'both')
  await process.search('c', { first: seen(1).first, former: formerAt(1, 90.5) })
  expect(await process.models('c')).toEqual({ [only]: 3000 })
  await process.search('c', { first: seen(1).first, former: formerAt(1, 95) })
  expect(await process.models('c')).toEqual({ [only]: 2999, [both]: 1 })
})

test('a face with the new embedding is not written again', async () => {
  const store = createMemoryStore()
  const [faceId] = await processOf(store, 'before').add('c', [1])
  const process = processOf(store, 'both')
  const revision = async () => (await process.access.find(accountId, 'c'))?.revision
  await process.search('c', seen(1))
  const renewed = await revision()
  expect(await process.search('c', seen(1))).toBe(faceId)
  expect(await revision()).toBe(renewed)
})

test('a face that another search renewed since it was found is not written again', async () => {
  const store = createMemoryStore()
  await processOf(store, 'before').add('c', [1])
  const process = processOf(store, 'both')
  const match = await process.access.read(accountId, 'c', (collection) => collection.closest(seen(1), 80))
  expect(match).toMatchObject({ isFormer: true })
  await process.search('c', seen(1))
  const change = await process.access.use(accountId, 'c', (collection, writer) =>
    renewTemplate(collection, writer, match, seen(1)),
  )
  expect(change).toBeUndefined()
})
