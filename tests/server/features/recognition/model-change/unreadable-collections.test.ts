import { expect, test } from 'vitest'
import { packs } from '#models/rules/packs.ts'
import {
  unreadableCollections,
  unreadableWords,
} from '#server/features/recognition/model-change/unreadable-collections.ts'
import { readyz } from '#shared/contract/health.ts'
import { addFace, newCollection } from '../../../../support/drawn/gallery.ts'
import { startHost } from '../../../../support/host.ts'

test('lists the collections whose faces are of a network that is not loaded, and no other', async () => {
  const host = await startHost()
  const [full, empty] = [await newCollection(host), await newCollection(host)]
  await addFace(host, full, { person: 'anna' })
  const { accounts, recognition } = host.services
  const find = (model: 'fr-feature/2' | 'dlib-face/2') =>
    unreadableCollections(accounts, recognition.access, model)
  expect(await find(packs.standard.embeddingModel)).toEqual([])
  const found = await find(packs.conservative.embeddingModel)
  const kept = [packs.conservative.embeddingModel, packs.standard.embeddingModel] as const
  expect(await unreadableCollections(accounts, recognition.access, ...kept)).toEqual([])
  expect(found).toEqual([
    { accountId: host.accountId, collectionId: full, embeddingModel: packs.standard.embeddingModel },
  ])
  expect(found.map(({ collectionId }) => collectionId)).not.toContain(empty)
  const words = unreadableWords([...found, ...found, ...found, ...found], 'dlib-face/2')
  expect(words).toContain(`${host.accountId}/${full} (fr-feature/2)`)
  expect(words).toContain('and 1 more')
  await host.close()
})

test('readyz counts them', async () => {
  const host = await startHost({ ports: { unreadableCollections: () => 2 } })
  expect(await host.call(readyz, {})).toEqual({ ready: true, unreadableCollections: 2 })
  await host.close()
})
