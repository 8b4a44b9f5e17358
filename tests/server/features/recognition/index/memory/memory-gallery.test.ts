import { expect, test } from 'vitest'
import { createMemoryGallery } from '#server/features/recognition/index/memory/memory-gallery.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { visitCollections } from '../../../../../support/collection-visitor.ts'
import { watchStore } from '../../../../../support/watched-store.ts'

const people = (count: number) => Array.from({ length: count }, (_, i) => i)

/** A process that keeps 40 faces in memory, and records which indexes it opened and closed. */
function start() {
  const { store, watched } = watchStore(createMemoryStore())
  const open = new Set<number>()
  let made = 0
  const visitor = visitCollections(store, {
    facesInMemory: 40,
    createGallery: (model) => {
      const number = made++
      const index = createMemoryGallery(model)
      open.add(number)
      return {
        ...index,
        get size() {
          return index.size
        },
        get comparableCount() {
          return index.comparableCount
        },
        nearest: (...search) => {
          if (!open.has(number)) throw new Error('searched after it was closed')
          return index.nearest(...search)
        },
        close: () => void open.delete(number),
      }
    },
  })
  return { store, visitor, watched, open }
}

test('collections share the memory: the least recently used one is released, and read again when needed', async () => {
  const { visitor, watched, open } = start()
  for (const id of ['a', 'b', 'c']) await visitor.addSeveral(id, people(20))
  for (const id of ['a', 'b', 'a', 'c']) await visitor.find(id, 1)
  await visitor.find('a', 1)
  expect(watched.lists).toBe(3)
  expect([...open]).toEqual([0, 2])
  expect(await visitor.find('b', 1)).toBeDefined()
  expect(watched.lists).toBe(4)
  expect([...open]).toEqual([0, 3])
})

test('a collection larger than the whole memory is searched, and read once', async () => {
  const { visitor, watched, open } = start()
  await visitor.addSeveral('small', people(5))
  await visitor.find('small', 1)
  const faceIds = await visitor.addSeveral('large', people(90))
  for (const person of [0, 45, 89]) expect(await visitor.find('large', person)).toBe(faceIds[person])
  expect(watched.lists).toBe(2)
  expect([...open]).toEqual([1])
})

test('an index that is dropped while it is being searched is closed afterwards', async () => {
  const { visitor, open } = start()
  await visitor.addSeveral('a', people(30))
  await visitor.addSeveral('b', people(30))
  let answer = () => {}
  const held = visitor.searchOrIndex('a', 1, () => new Promise<void>((resolve) => (answer = resolve)))
  await expect.poll(() => open.size).toBe(1)
  await visitor.find('b', 1)
  expect([...open]).toEqual([0, 1])
  answer()
  await held
  await expect.poll(() => [...open]).toEqual([1])
})

test('a collection that is missing, erased or unreadable leaves nothing in memory', async () => {
  const { store, visitor, open } = start()
  await visitor.find('never there', 1)
  await expect.poll(() => open.size).toBe(0)
  await visitor.add('erased', 1)
  await visitor.find('erased', 1)
  await visitor.erase('erased')
  await expect.poll(() => open.size).toBe(0)
  await visitor.add('altered', 1)
  for await (const { key, value } of store.list('face/')) {
    value[value.length - 1]! ^= 1
    await store.put(key, value)
  }
  await expect(visitor.find('altered', 1)).rejects.toThrow()
  expect(open.size).toBe(0)
})

test('a sweep forgets what another process has erased', async () => {
  const { store, visitor, open } = start()
  const other = visitCollections(store)
  for (const id of ['a', 'b']) {
    await visitor.add(id, 1)
    await visitor.find(id, 1)
  }
  await other.erase('a')
  expect([...open]).toEqual([0, 1])
  await visitor.erasure.finishErasures()
  await expect.poll(() => [...open]).toEqual([1])
})
