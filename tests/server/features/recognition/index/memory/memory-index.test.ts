import { afterAll, expect, test } from 'vitest'
import { embeddingLengths, embeddingModel } from '#models/rules/embedding.ts'
import { mostRows } from '#server/features/recognition/index/threads/arena.ts'
import { createSearchThreads } from '#server/features/recognition/index/threads/search-threads.ts'
import { startSearchThread } from '#server/features/recognition/index/threads/start-search-thread.ts'
import { createThreadedGallery } from '#server/features/recognition/index/threads/threaded-gallery.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { visitCollections } from '../../../../../support/collection-visitor.ts'
import { searchWorker } from '../../../../../support/programs/server-program.ts'

const length = embeddingLengths[embeddingModel]
/** Enough room for a few thousand faces, although addresses would allow two million. */
const mostPages = 200
const failures: string[] = []
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
})

const most = mostRows(length, mostPages)
const people = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

/** A process with a single search thread that has little memory. `mostFaces` is the capacity it assumes. */
function visit(store = createMemoryStore(), mostFaces: number | undefined = most) {
  const threads = createSearchThreads({
    count: 1,
    mostFaces,
    start: () => startSearchThread(searchWorker, length, mostPages),
    onFailure: ({ message }) => void failures.push(message),
  })
  closers.push(threads.close)
  const told: string[] = []
  const visitor = visitCollections(store, {
    createGallery: (model) => createThreadedGallery(threads, model),
    tellRoom: (room, collectionId) => void told.push(`${collectionId}: ${room}`),
  })
  return { ...visitor, told, store }
}

test('a collection that fills the threads is searched to its last face, and refuses one more before it is stored', async () => {
  expect(most).toBeGreaterThan(1000)
  const visitor = visit()
  const faceIds = await visitor.addSeveral('full', people(0, most - 1))
  expect(await visitor.find('full', most - 2)).toBe(faceIds.at(-1))
  expect(visitor.told).toEqual(['full: little'])
  const last = await visitor.add('full', most)
  expect(await visitor.find('full', most)).toBe(last)

  const refused = {
    code: 'not_ready',
    message: expect.stringContaining('FACE_INDEX=postgres'),
    retryAfterInSeconds: 300,
  }
  await expect(visitor.add('full', most + 1)).rejects.toMatchObject(refused)
  await expect(visitor.searchOrIndex('full', most + 1)).rejects.toMatchObject(refused)
  expect(await visitor.find('full', 7)).toBe(faceIds[7])
  expect(await visitor.count('full')).toMatchObject({ size: most })
  await visitor.remove('full', faceIds.slice(0, 1))
  expect(await visitor.searchOrIndex('full', most + 1)).toBeDefined()
  expect(failures).toEqual([])
})

test('one that another process made too large is refused with a reason, repeatedly and at once, and others continue', async () => {
  const visitor = visit(createMemoryStore(), undefined)
  const larger = visitCollections(visitor.store)
  const faceIds = await larger.addSeveral('large', people(0, most + 4000))
  const few = await visitor.add('small', 1)
  const refused = { code: 'not_ready', message: expect.stringContaining('--to postgres') }
  await expect(visitor.find('large', 3)).rejects.toMatchObject(refused)
  expect(visitor.told).toEqual(['large: none'])
  expect(failures.length).toBeGreaterThan(0)
  const before = failures.length
  await expect(visitor.find('large', 3)).rejects.toMatchObject(refused)
  await expect(visitor.add('large', 3)).rejects.toMatchObject(refused)
  expect(failures.length).toBe(before)
  expect(await visitor.find('small', 1)).toBe(few)
  // Nothing is lost. A process with enough room can search it.
  expect(await larger.find('large', 3)).toBe(faceIds[3])
  expect(await larger.count('large')).toMatchObject({ size: most + 4000 })
})

test('faces added since the last search count, too', async () => {
  const visitor = visit()
  await visitor.addSeveral('indexed', people(0, most - 3))
  expect(await visitor.find('indexed', 1)).toBeDefined()
  for (const person of people(most, 3)) await visitor.add('indexed', person)
  await expect(visitor.add('indexed', most + 3)).rejects.toMatchObject({ code: 'not_ready' })
  expect(await visitor.find('indexed', most + 2)).toBeDefined()
})

test('others give way to the collection in use', async () => {
  const visitor = visit(createMemoryStore(), undefined)
  const half = Math.floor(most * 0.7)
  await visitor.addSeveral('one', people(0, half))
  await visitor.addSeveral('other', people(0, half))
  expect(await visitor.find('one', 3)).toBeDefined()
  expect(await visitor.find('other', 3)).toBeDefined()
  expect(await visitor.find('one', half - 1)).toBeDefined()
  expect(visitor.told.filter((word) => word.endsWith('none'))).toEqual([])
})
