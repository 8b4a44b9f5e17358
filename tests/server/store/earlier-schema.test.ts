import { readFile } from 'node:fs/promises'
import { beforeEach, expect, test } from 'vitest'
import { embeddingModel } from '#models/rules/embedding.ts'
import { createMemoryStore } from '#server/store/memory.ts'
import type { Store } from '#server/store/store.ts'
import { accountId, visitCollections } from '../../support/collection-visitor.ts'
import { randomEmbedding } from '../../support/drawn/random-face.ts'
import { describeOnSharedStores } from '../../support/stores.ts'

/** What the version before wrote: random vectors in collections of the model in use, of a former one, and of both. */
interface Former {
  readonly faceIds: Record<'pinned' | 'former' | 'mixed', string[]>
  readonly entries: [key: string, base64: string][]
}
const former = JSON.parse(await readFile(new URL('./schema-1/store.json', import.meta.url), 'utf8')) as Former

async function fill(store: Store): Promise<void> {
  for await (const { key } of store.list('')) await store.remove(key)
  for (const [key, base64] of former.entries) await store.put(key, Buffer.from(base64, 'base64'))
}

describeOnSharedStores('a store of schema 1', (shared) => {
  let store: Store
  let visitor: ReturnType<typeof visitCollections>
  beforeEach(async () => {
    store ??= await shared.open()
    await fill(store)
    visitor = visitCollections(store)
  })
  const { pinned } = former.faceIds

  test('is searched', async () => {
    for (const [person, faceId] of pinned.entries()) expect(await visitor.find('pinned', person)).toBe(faceId)
    expect(await visitor.find('pinned', 5)).toBeUndefined()
    expect(await visitor.count('pinned')).toEqual({ size: 5, comparableCount: 5 })
    expect(await visitor.count('empty')).toEqual({ size: 0, comparableCount: 0 })
  })

  test('tells what is in it', async () => {
    const faces = await visitor.access.use(accountId, 'pinned', (collection) => all(collection.list()))
    const byId = new Map(faces.map((face) => [face.faceId, face]))
    for (const [person, faceId] of pinned.entries()) {
      expect(byId.get(faceId)).toEqual({
        faceId,
        created: '2026-10-01T12:00:00.000Z',
        embeddingModel,
        externalId: person < 3 ? `person-${person}` : null,
        embedding: randomEmbedding(person),
      })
    }
    expect((await visitor.access.find(accountId, 'pinned'))?.description).toBe('Of the model in use')
  })

  test('takes new faces beside the former ones, which stay as they are', async () => {
    const added = await visitor.add('pinned', 9, 'person-9')
    const other = visitCollections(store)
    expect(await other.find('pinned', 9)).toBe(added)
    expect(await other.find('pinned', 0)).toBe(pinned[0])
    expect(await other.searchOrIndex('pinned', 2)).toBe(pinned[2])
    expect(await formsOf('face/')).toEqual({ json: 13, bytes: 1 })
    await visitor.add('empty', 1)
    expect(await other.find('empty', 1)).toBeDefined()
  })

  test('shows a process that has read it what comes afterwards', async () => {
    const other = visitCollections(await shared.open())
    await other.find('pinned', 0)
    const added = await visitor.add('pinned', 8)
    await visitor.remove('pinned', [pinned[0]!])
    expect(await other.find('pinned', 8)).toBe(added)
    expect(await other.find('pinned', 0)).toBeUndefined()
  })

  test('forgets faces by id, by person, by reset and with their collection', async () => {
    expect(await visitor.remove('pinned', [pinned[4]!])).toBe(1)
    expect(await visitor.forget('person-1')).toBe(1)
    expect(await visitor.find('pinned', 1)).toBeUndefined()
    expect(await visitor.reset('pinned', 50)).toBe(3)
    expect(await visitor.reset('mixed', 50)).toBe(4)
    for (const id of ['pinned', 'mixed', 'former', 'other', 'empty']) await visitor.erase(id)
    for await (const { key } of store.list('')) throw new Error(`${key} is left`)
  })

  test('with faces of a former model beside those of this one compares only the latter, and counts all', async () => {
    const { mixed } = former.faceIds
    await visitor.access.use(accountId, 'mixed', async (collection) => collection.refuseOtherModel('#/x'))
    expect(await visitor.count('mixed')).toEqual({ size: 4, comparableCount: 2 })
    expect(await visitor.find('mixed', 20)).toBeUndefined()
    expect(await visitor.find('mixed', 22)).toBe(mixed[2])
    expect(await visitor.remove('mixed', [mixed[0]!])).toBe(1)
    expect(await visitor.count('mixed')).toEqual({ size: 3, comparableCount: 2 })
  })

  test('with faces of a former model only is refused with the names of both, until it is emptied', async () => {
    const open = () =>
      visitor.access.use(accountId, 'former', async (collection) => collection.refuseOtherModel('#/x'))
    await expect(open()).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '#/x', message: expect.stringContaining('model fr-feature; this server makes') }],
    })
    const { former: faceIds } = former.faceIds
    const faces = await visitor.access.use(accountId, 'former', (collection) => all(collection.list()))
    expect(faces.map(({ faceId }) => faceId).sort()).toEqual([...faceIds].sort())
    expect(await visitor.forget('person-10')).toBe(1)
    expect(await visitor.remove('former', faceIds.slice(1, 2))).toBe(1)
    await expect(open()).rejects.toThrow()
    expect(await visitor.reset('former', 50)).toBe(1)
    await open()
    const added = await visitor.add('former', 1)
    expect(await visitor.find('former', 1)).toBe(added)
  })

  /** How many entries are JSON, and how many bytes. */
  async function formsOf(prefix: string) {
    const forms = { json: 0, bytes: 0 }
    for await (const { value } of store.list(prefix)) forms[value[0] === 0x7b ? 'json' : 'bytes']++
    return forms
  }
})

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

test.each(['face/', 'collection/'])('a record of a later schema is refused: %s', async (prefix) => {
  const store = createMemoryStore()
  await fill(store)
  const visitor = visitCollections(store)
  const added = await visitor.add('pinned', 7)
  for await (const { key, value } of store.list(prefix)) {
    const isJson = value[0] === 0x7b
    const later = isJson
      ? Buffer.from(
          Buffer.from(value)
            .toString()
            .replace(/"schema":\d/, '"schema":3'),
        )
      : value
    if (!isJson) later[0] = 3
    await store.put(key, later)
  }
  await expect(visitor.remove('pinned', [added])).rejects.toThrow('A record of schema 3 cannot be read')
})
