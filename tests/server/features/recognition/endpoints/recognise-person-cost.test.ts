import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embeddingModel } from '#models/rules/embedding.ts'
import { createCollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import { createErasure } from '#server/features/recognition/erasure/erasure.ts'
import { closestByModel, type Gallery } from '#server/features/recognition/index/gallery.ts'
import { createGalleryCache } from '#server/features/recognition/index/memory/gallery-cache.ts'
import { createMemoryGallery } from '#server/features/recognition/index/memory/memory-gallery.ts'
import type { Face } from '#server/features/recognition/store/face.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { indexFace, searchFace } from '#shared/contract/recognition/recognition.ts'
import { embeddingOf } from '../../../../support/drawn/fake-analysis.ts'
import { imageOf, newCollection } from '../../../../support/drawn/gallery.ts'
import { startHost } from '../../../../support/host.ts'

/** A store that counts how often faces are read. */
function createCountingStore() {
  const store = createMemoryStore()
  const counted = { lists: 0, gets: 0, writes: 0 }
  const isOfFaces = (key: string) => /^(face|collection)/.test(key)
  const counting: Store = {
    ...store,
    get: (key) => {
      if (isOfFaces(key)) counted.gets++
      return store.get(key)
    },
    list: (prefix) => {
      if (isOfFaces(prefix)) counted.lists++
      return store.list(prefix)
    },
    commit: (writes, guards) => {
      counted.writes += writes.filter(({ key }) => isOfFaces(key)).length
      return store.commit(writes, guards)
    },
  }
  const since = async (work: () => Promise<unknown>) => {
    const before = { ...counted }
    await work()
    return {
      lists: counted.lists - before.lists,
      gets: counted.gets - before.gets,
      writes: counted.writes - before.writes,
    }
  }
  return { store: counting, since }
}

test('adding a face costs the same however many there are; a search reads the faces once', async () => {
  const { store, since } = createCountingStore()
  const host = await startHost({ store })
  const collectionId = await newCollection(host)
  let people = 0
  const add = () =>
    host.call(indexFace, { body: { collectionId, image: imageOf({ person: `person ${++people}` }) } })
  const search = () =>
    host.call(searchFace, { body: { collectionId, image: imageOf({ person: 'person 1' }) } })
  const first = await since(add)
  expect(first).toMatchObject({ lists: 0, writes: 3 })
  for (let i = 0; i < 30; i++) await add()
  expect(await since(add)).toEqual(first)
  expect((await since(search)).lists).toBe(1)
  expect((await since(search)).lists).toBe(0)
  for (let i = 0; i < 3; i++) expect(await since(add)).toEqual(first)
  expect(await since(search)).toMatchObject({ lists: 0, writes: 0 })
  expect((await search()).faceId).not.toBeNull()
  await host.close()
})

const faceOf = (person: string, faceId = person): Face => ({
  faceId,
  externalId: null,
  embeddingModel,
  embedding: Float32Array.from(embeddingOf(person)),
})

const closest = (gallery: Gallery, person: string, atLeast: number) =>
  closestByModel(gallery, embeddingModel, faceOf(person).embedding, atLeast)

test('removed faces are no longer found, and all others still are', async () => {
  const people = Array.from({ length: 40 }, (_, i) => `person ${i}`)
  const faces = createMemoryGallery()
  for (const person of people) faces.add(faceOf(person))
  const find = async (person: string) => (await closest(faces, person, 80))?.face.faceId
  const removed = ['person 0', 'person 17', 'person 39', 'person 38']
  for (const person of removed) faces.remove(person)
  faces.remove('never there')
  expect(faces.size).toBe(36)
  for (const person of people) expect(await find(person)).toBe(removed.includes(person) ? undefined : person)
  faces.add(faceOf('person 17', 'again'))
  expect(await find('person 17')).toBe('again')
})

test('a face of another network counts, and is not compared', async () => {
  const faces = createMemoryGallery()
  faces.add({ ...faceOf('anna'), embeddingModel: 'another-network', externalId: 'id-1' })
  expect(faces).toMatchObject({ size: 1, comparableCount: 0 })
  expect(await closest(faces, 'anna', 0)).toBeUndefined()
  expect(await faces.hasExternalId('id-1')).toBe(true)
  faces.remove('anna')
  expect(faces.size).toBe(0)
})

function kept(collectionId: string, count: number, galleryId = collectionId) {
  const gallery = createMemoryGallery()
  for (let i = 0; i < count; i++) gallery.add(faceOf(`person ${i}`))
  return { place: { accountId: 'a', collectionId, galleryId }, gallery, revision: 0 }
}

test('the least recently used collection is dropped first, with a message; the one in use stays, however large', () => {
  const dropped: string[] = []
  const cache = createGalleryCache(40, ({ place }) => dropped.push(place.collectionId))
  const [a, b, c, d] = [kept('a', 20), kept('b', 20), kept('c', 1), kept('d', 60)]
  cache.keep(a)
  cache.keep(b)
  cache.get(a.place)
  cache.keep(c)
  expect(dropped).toEqual(['b'])
  expect(cache.get(b.place)).toBeUndefined()
  expect(cache.get(a.place)).toBe(a)
  cache.keep(d)
  expect(dropped).toEqual(['b', 'c', 'a'])
  expect(cache.get(d.place)).toBe(d)
})

test('a growing gallery makes others go, and that of a recreated gallery is not found', () => {
  const dropped: string[] = []
  const cache = createGalleryCache(40, ({ place }) => dropped.push(place.galleryId))
  const [a, b] = [kept('a', 16), kept('b', 16)]
  cache.keep(a)
  cache.keep(b)
  for (let i = 0; i < 10; i++) b.gallery.add(faceOf(`another ${i}`))
  cache.makeRoom()
  expect(dropped).toEqual(['a'])
  expect(cache.get(kept('b', 0, 'made anew').place)).toBeUndefined()
  expect(dropped).toEqual(['a', 'b'])
})

test('every face is deleted with its collection, however many, from the embedded store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-gallery-'))
  const store = openLmdbStore(folder)
  const access = createCollectionAccess(store, createKeyRing(Buffer.alloc(32, 1), 'EU'), Date.now)
  const { externalId: _, faceId: __, ...face } = faceOf('anna')
  for (let i = 0; i < 7; i++) {
    await access.change('a', 'c', async (_, writer) => {
      const faces = Array.from({ length: 100 }, () => ({ ...face, externalId: 'id-1' }))
      return { answer: undefined, change: writer.addSeveral(faces) }
    })
  }
  expect(await entriesOf(store)).toBe(1 + 2 * 700 + 7)
  const erasure = createErasure(store, access)
  await erasure.eraseCollection('a', 'c')
  expect(await entriesOf(store)).toBe(0)
  await store.close()
  await rm(folder, { recursive: true })
})

async function entriesOf(store: Store): Promise<number> {
  let count = 0
  for await (const _ of store.list('')) count++
  return count
}
