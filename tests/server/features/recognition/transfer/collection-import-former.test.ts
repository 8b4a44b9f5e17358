import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportCollection } from '#server/features/recognition/transfer/collection-export.ts'
import { importCollection } from '#server/features/recognition/transfer/collection-import.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { accountId } from '../../../../support/collection-visitor.ts'
import { rememberPassphrases } from '../../../../support/sealed-files/remembered-passphrases.ts'
import { processOf, seen } from '../../../../support/two-models.ts'

rememberPassphrases()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-two-models-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a file carries the embeddings of both models', async () => {
  const store = createMemoryStore()
  const faceIds = await processOf(store, 'before').add('c', [0, 1])
  const from = processOf(store, 'both')
  await from.search('c', seen(0))
  const file = { path: join(folder, 'file'), passphrase: 'a passphrase of some length' }
  expect(await exportCollection(from.access, { accountId, collectionId: 'c', ...file })).toBe(2)
  const to = processOf(createMemoryStore(), 'both')
  const asked = { accountId, collectionId: undefined, ...file }
  expect(await importCollection(to.access, asked)).toMatchObject({ restoredCount: 2, strippedCount: 0 })
  expect(await to.models('c')).toEqual(await from.models('c'))
  expect(await to.search('c', { first: seen(0).first, former: seen(99).former })).toBe(faceIds[0])
  expect(await to.search('c', seen(1))).toBe(faceIds[1])
})
