import { afterAll, beforeAll, expect, test } from 'vitest'
import { warmCollections } from '#server/features/recognition/collections/warm-collections.ts'
import { createMemoryGallery } from '#server/features/recognition/index/memory/memory-gallery.ts'
import { addFace, newCollection } from '../../../../support/drawn/gallery.ts'
import { type Host, startHost } from '../../../../support/host.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const refuse = (error: unknown) => {
  throw error
}

test('reads the named collections into memory, and reports those that do not exist', async () => {
  const [warm, cold] = [await newCollection(host), await newCollection(host)]
  for (const id of [warm, cold]) await addFace(host, id, { person: 'anna' })
  let made = 0
  const again = await startHost({
    store: host.store,
    ports: {
      createGallery: (model) => {
        made++
        return createMemoryGallery(model)
      },
    },
  })
  const { accounts, recognition } = again.services
  expect(await warmCollections(accounts, recognition.access, [], refuse)).toEqual([])
  expect(made).toBe(0)
  expect(await warmCollections(accounts, recognition.access, [warm, 'nobody has it'], refuse)).toEqual([
    'nobody has it',
  ])
  expect(made).toBe(1)
  await again.close()
})
