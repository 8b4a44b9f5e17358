import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type CollectionAccess,
  createCollectionAccess,
} from '#server/features/recognition/collections/collection-access.ts'
import type { EnrolledFace, NewFace } from '#server/features/recognition/store/face.ts'
import { exportCollection } from '#server/features/recognition/transfer/collection-export.ts'
import { importCollection } from '#server/features/recognition/transfer/collection-import.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { randomEmbedding } from '../../../../support/drawn/random-face.ts'
import { rememberPassphrases } from '../../../../support/sealed-files/remembered-passphrases.ts'

rememberPassphrases()

const secondModel = 'foamliu-face/1'
const passphrase = 'a passphrase of some length'
let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-import-'))
  path = join(folder, 'faces')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

let deployments = 0
/** A separate deployment, either with or without the second network. */
const deploy = (isExtended: boolean): CollectionAccess =>
  createCollectionAccess(
    createMemoryStore(),
    createKeyRing(Buffer.alloc(32, ++deployments), 'EU'),
    Date.now,
    isExtended ? { secondModel } : {},
  )

const face = (seed: number, hasSecond: boolean): NewFace => ({
  externalId: `person-${seed}`,
  embeddingModel: 'fr-feature/2',
  embedding: randomEmbedding(seed),
  ...(hasSecond && { second: { model: secondModel, embedding: randomEmbedding(seed + 500, 128) } }),
})

const fill = (access: CollectionAccess, seeds: readonly number[], hasSecond: boolean) =>
  access.change('a', 'people', async (_, writer) => ({
    answer: undefined,
    change: writer.addSeveral(seeds.map((seed) => face(seed, hasSecond))),
  }))

async function faces(access: CollectionAccess): Promise<EnrolledFace[]> {
  const opened = await access.use('a', 'people', async (collection) => collection)
  const found: EnrolledFace[] = []
  for await (const one of opened.list()) found.push(one)
  return found.sort((a, b) => a.faceId.localeCompare(b.faceId))
}

const about = () => ({ accountId: 'a', collectionId: 'people', path, passphrase })
const find = (access: CollectionAccess, seed: number) =>
  access.use('a', 'people', async (collection) => {
    const templates = { first: randomEmbedding(seed), second: randomEmbedding(seed + 500, 128) }
    return (await collection.closest(templates, 80))?.face.externalId
  })

describe('faces with two embeddings', () => {
  test.each([true, false])(
    'move completely into a new collection, if the pack is installed (%s)',
    async (isExtended) => {
      const [from, to] = [deploy(true), deploy(isExtended)]
      await fill(from, [1, 2, 3], true)
      expect(await exportCollection(from, about())).toBe(3)
      const imported = await importCollection(to, about())
      expect(imported).toMatchObject({ restoredCount: 3, skippedCount: 0, strippedCount: 0, isNew: true })
      expect(await faces(to)).toEqual(await faces(from))
      expect((await faces(to))[0]!.second?.embedding).toHaveLength(128)
      expect((await to.find('a', 'people'))?.secondModel).toBe(secondModel)
      expect(await find(to, 2)).toBe('person-2')
      expect(await find(to, 9)).toBeUndefined()
    },
  )

  test('lose the second one if the collection keeps one per face', async () => {
    const [from, to] = [deploy(true), deploy(true)]
    await fill(from, [1, 2], true)
    await exportCollection(from, about())
    const before = deploy(false)
    await fill(before, [3], false)
    expect(await importCollection(before, about())).toMatchObject({ restoredCount: 2, strippedCount: 2 })
    expect((await faces(before)).every(({ second }) => second === undefined)).toBe(true)
    expect(await find(before, 1)).toBe('person-1')
    expect((await importCollection(to, about())).strippedCount).toBe(0)
  })
})

describe('faces with one embedding', () => {
  test('are written as usual, and can be imported into a collection that keeps two', async () => {
    const [from, to] = [deploy(false), deploy(true)]
    await fill(from, [1, 2], false)
    await exportCollection(from, about())
    await fill(to, [3], true)
    expect(await importCollection(to, about())).toMatchObject({ restoredCount: 2, strippedCount: 0 })
    expect((await faces(to)).map(({ second }) => second === undefined).sort()).toEqual([false, true, true])
    expect([await find(to, 1), await find(to, 3)]).toEqual(['person-1', 'person-3'])
  })
})
