import { expect, test } from 'vitest'
import { createAddedFaces } from '#server/features/sessions/reviewing/denied-faces.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'

test('a collection that cannot be changed does not keep the others’ faces from ending', async () => {
  const store = createMemoryStore()
  const changed: string[] = []
  let broken = 'one'
  const change = async (_account: string, collectionId: string) => {
    if (collectionId === broken) throw new Error('The index is away')
    changed.push(collectionId)
    return undefined as never
  }
  const added = createAddedFaces(store, createKeyRing(Buffer.alloc(32, 7), 'EU'), { change }, () => 2000)
  const face = { accountId: 'a', faceId: 'f', externalId: null, note: null, expiresAt: 1000 }
  for (const collectionId of ['one', 'two', 'three'])
    await store.commit([added.write({ ...face, collectionId })], [])
  await expect(added.expire()).rejects.toThrow('away')
  expect(changed.toSorted()).toEqual(['three', 'two'])
  broken = ''
  await added.expire()
  expect(changed).toHaveLength(3)
})
