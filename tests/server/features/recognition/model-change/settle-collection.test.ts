import { beforeEach, expect, test } from 'vitest'
import { settleCollection } from '#server/features/recognition/model-change/settle-collection.ts'
import { reduceToModel } from '#server/features/recognition/store/face.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { accountId } from '../../../../support/collection-visitor.ts'
import { processOf, seen } from '../../../../support/two-models.ts'

let store: Store
let both: ReturnType<typeof processOf>
let faceIds: readonly string[]
beforeEach(async () => {
  store = createMemoryStore()
  faceIds = await processOf(store, 'before').add('c', [0, 1, 2])
  both = processOf(store, 'both')
  for (const person of [0, 1]) await both.search('c', seen(person))
})
const settle = (removeUnseen: boolean, access = both.access) =>
  settleCollection(access, { accountId, collectionId: 'c', removeUnseen })

test('changes nothing as long as a face has only the former embedding', async () => {
  expect(await settle(false)).toEqual({ settledCount: 0, removedCount: 0, unseenCount: 1 })
  expect(await both.models('c')).toEqual({ 'dlib-face/2': 1, 'dlib-face/2 and fr-feature/2': 2 })
  expect(await both.search('c', seen(2))).toBe(faceIds[2])
})

test('leaves one model, which then needs no other', async () => {
  await both.search('c', seen(2))
  const [fourth] = await both.add('c', [3])
  const after = processOf(store, 'after')
  expect(await settle(false, after.access)).toEqual({ settledCount: 4, removedCount: 0, unseenCount: 0 })
  expect(await after.models('c')).toEqual({ 'fr-feature/2': 4 })
  for (const process of [both, after]) {
    expect(await process.search('c', seen(0))).toBe(faceIds[0])
    expect(await process.search('c', seen(3))).toBe(fourth)
  }
  await expect(processOf(store, 'before').search('c', seen(0))).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test('removes faces that were not seen again, if asked to', async () => {
  expect(await settle(true)).toEqual({ settledCount: 2, removedCount: 1, unseenCount: 0 })
  const after = processOf(store, 'after')
  expect(await after.search('c', seen(2))).toBeUndefined()
  expect(await after.search('c', seen(1))).toBe(faceIds[1])
})

test('finishes interrupted work', async () => {
  await both.search('c', seen(2))
  await both.access.change(accountId, 'c', async (collection, writer) => {
    const face = (await collection.get(faceIds[0]!))!
    return { answer: undefined, change: writer.replace([reduceToModel(face, 'fr-feature/2')]) }
  })
  expect(await both.models('c')).toEqual({ 'fr-feature/2': 1, 'dlib-face/2 and fr-feature/2': 2 })
  expect(await both.search('c', seen(0))).toBe(faceIds[0])
  expect(await settle(false)).toEqual({ settledCount: 2, removedCount: 0, unseenCount: 0 })
})

test('does nothing to a collection of one model, even twice', async () => {
  expect((await settle(true)).settledCount).toBe(2)
  expect(await settle(true)).toEqual({ settledCount: 0, removedCount: 0, unseenCount: 0 })
})

test('reports a missing collection', async () => {
  const asked = { accountId, collectionId: 'other', removeUnseen: false }
  await expect(settleCollection(both.access, asked)).rejects.toMatchObject({ code: 'not_found' })
})
