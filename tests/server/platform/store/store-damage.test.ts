import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { jsonCodec } from '#server/platform/store/codec.ts'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { findDamage } from '#server/platform/store/drivers/lmdb-damage.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { putOf, removalOf, type Store } from '#server/platform/store/store.ts'
import { deleteCollection, searchFace } from '#shared/contract/recognition/recognition.ts'
import { isLong } from '../../../../e2e/support/length.ts'
import { visitCollections } from '../../../support/collection-visitor.ts'
import { addFace, imageOf, newCollection } from '../../../support/drawn/gallery.ts'
import { startHost } from '../../../support/host.ts'
import { launch } from '../../../support/programs/server-process.ts'
import { problemOf } from '../../../support/visit.ts'

const pageSize = 4096
const statesOfEach = isLong ? 60 : 8
const folder = mkdtempSync(join(tmpdir(), 'selfsame-damage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lengths = [40, 900, 3900, 9000]
const textOf = (i: number) => Buffer.alloc(lengths[i % lengths.length]!, `value ${i} `)
const put = (i: number) => putOf(`face/${i}`, textOf(i))
const remove = (i: number) => removalOf(`face/${i}`)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

type Content = Readonly<Record<string, string>>

async function contentOf(store: Store): Promise<Content> {
  const content: Record<string, string> = {}
  for await (const { key, value } of store.list('')) content[key] = Buffer.from(value).toString()
  return content
}

/** A store before and after a commit that adds, overwrites and removes, and after a few more commits: its file and content. */
async function aroundCommit() {
  const from = join(folder, 'around')
  const store = openLmdbStore(from)
  for (const start of [0, 100, 200])
    await store.commit(
      upTo(100).map((i) => put(start + i)),
      [],
    )
  await store.commit(
    upTo(80).map((i) => remove(i * 3)),
    [],
  )
  const seen = async () => ({ file: readFileSync(join(from, 'data.mdb')), content: await contentOf(store) })
  const before = await seen()
  await store.commit([...upTo(60).map((i) => put(400 + i)), remove(100), putOf('face/101', textOf(1))], [])
  const after = await seen()
  for (const i of upTo(20)) await store.commit([remove(5 * i + 1), put(500 + i)], [])
  const later = await seen()
  await store.close()
  return { before, after, later }
}

const told =
  /^The store is damaged: page \d+ of .* is missing or torn\. Nothing was changed\. Restore the latest backup/
let states = 0

/** Opens a store from these bytes. Returns its content, or why it does not open. */
async function openWith(file: Buffer): Promise<Content | string> {
  const at = join(folder, `state-${states++}`)
  mkdirSync(at)
  writeFileSync(join(at, 'data.mdb'), file)
  try {
    const store = openLmdbStore(at)
    const content = await contentOf(store)
    await store.put('written afterwards', textOf(2))
    await store.close()
    const again = openLmdbStore(at)
    expect(await contentOf(again)).toEqual({ ...content, 'written afterwards': String(textOf(2)) })
    await again.close()
    return content
  } catch (error) {
    return (error as Error).message
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

const chance = (most: number) => Math.floor(Math.random() * most)

/** The file as a power cut leaves it: some of the commit's pages are written, one of them only partly, and it ends anywhere. */
function interrupted(before: Buffer, after: Buffer): Buffer {
  const file = Buffer.alloc(after.length)
  before.copy(file)
  for (let at = 2 * pageSize; at < after.length; at += pageSize) {
    const written = [0, pageSize, chance(pageSize)][chance(3)]!
    after.copy(file, at, at, Math.min(at + written, after.length))
  }
  return file.subarray(0, before.length + chance(after.length - before.length + 1))
}

const { before, after, later } = await aroundCommit()

describe('the embedded store after an interrupted write', () => {
  test('opens with everything that was acknowledged before, and accepts more', async () => {
    expect(after.file.length).toBeGreaterThan(before.file.length)
    for (let i = 0; i < statesOfEach; i++) {
      expect(await openWith(interrupted(before.file, after.file))).toEqual(before.content)
    }
    expect(await openWith(after.file)).toEqual(after.content)
  })

  test('does not open if a disk lost pages that it had reported as written, and reports it', async () => {
    const { length } = before.file
    for (let i = 0; i < statesOfEach; i++) {
      const end = length + chance(after.file.length - length - pageSize)
      expect(await openWith(after.file.subarray(0, end))).toMatch(told)
    }
  })

  test('refers to the pages of a commit at one place, which is written after them', () => {
    const [first, second] = [0, 1].map((page) => after.file.subarray(page * pageSize, (page + 1) * pageSize))
    for (const page of [first!, second!]) expect(page.subarray(256).every((byte) => byte === 0)).toBe(true)
  })
})

test('names the one of many large values whose page was lost', async () => {
  const from = join(folder, 'big')
  const store = openLmdbStore(from)
  for (const start of [0, 300, 600])
    await store.commit(
      upTo(300).map((i) => putOf(`face/${(start + i) * 7919}`, Buffer.alloc(5000, i))),
      [],
    )
  await store.close()
  const path = join(from, 'data.mdb')
  const file = readFileSync(path)
  expect(findDamage(path)).toBeUndefined()
  const big = upTo(file.length / pageSize).filter((page) => file.readUInt16LE(page * pageSize + 18) === 4)
  expect(big.length).toBeGreaterThan(800)
  for (const page of [big[0]!, ...upTo(12).map(() => big[chance(big.length)]!), big.at(-1)!]) {
    writeFileSync(path, Buffer.from(file).fill(0, page * pageSize, page * pageSize + 24))
    expect(findDamage(path)).toBe(page)
  }
})

/** The file after filling its last pages with a single byte value. */
function withLastPages(byte: number): Buffer {
  return Buffer.from(after.file).fill(byte, after.file.length - pageSize * (1 + chance(4)))
}

describe('the embedded store with damage beyond an interrupted write', () => {
  test.each([
    [
      'cut at the end of a page',
      () => after.file.subarray(0, after.file.length - pageSize * (1 + chance(60))),
    ],
    ['cut within a page', () => after.file.subarray(0, after.file.length - 1 - chance(pageSize * 60))],
    ['zeros in its last pages', () => withLastPages(0)],
    ['garbage in its last pages', () => withLastPages(0xa5)],
    ['cut within its first pages', () => after.file.subarray(0, 1 + chance(2 * pageSize - 1))],
  ])('%s: opens completely, or fails with a message', async (_name, alter) => {
    let refused = 0
    for (let i = 0; i < statesOfEach; i++) {
      const found = await openWith(alter())
      if (typeof found === 'string') expect(found).toMatch(told)
      else expect(found).toEqual(after.content)
      if (typeof found === 'string') refused++
    }
    expect(refused).toBeGreaterThan(0)
  })

  test('stops the start with a message, and is left unchanged', async () => {
    const dataDir = join(folder, 'server')
    mkdirSync(join(dataDir, 'store'), { recursive: true })
    const file = join(dataDir, 'store/data.mdb')
    writeFileSync(file, after.file.subarray(0, after.file.length >> 1))
    copyFileSync(file, join(folder, 'as it was'))
    const child = launch({ DATA_DIR: dataDir })
    let said = ''
    child.stderr!.on('data', (part) => (said += part))
    const [code] = await once(child, 'exit')
    expect(code).toBe(1)
    expect(said).toMatch(/^Selfsame did not start\. The store is damaged: page \d+/)
    expect(readFileSync(file)).toEqual(readFileSync(join(folder, 'as it was')))
  })
})

test('a copy with a mix of pages from before and after some commits is reported', async () => {
  const copy = Buffer.concat([before.file.subarray(0, 2 * pageSize), later.file.subarray(2 * pageSize)])
  expect(await openWith(copy)).toMatch(told)
  expect(await openWith(later.file)).toEqual(later.content)
})

describe('an altered face record', () => {
  test('is reported as an error, not as an unknown person; other collections are searched, and its own can be deleted', async () => {
    const store = createMemoryStore()
    const first = await startHost({ store })
    const [damaged, whole] = [await newCollection(first), await newCollection(first)]
    await addFace(first, damaged, { person: 'anna' })
    await alterFaces(store)
    const faceId = await addFace(first, whole, { person: 'anna' })
    await first.close()

    const host = await startHost({ store })
    const search = (collectionId: string) =>
      host.call(searchFace, {
        apiKey: first.apiKey,
        body: { collectionId, image: imageOf({ person: 'anna' }) },
      })
    expect(await problemOf(search(damaged))).toBe('internal_error')
    expect(host.errors).toHaveLength(1)
    expect((await search(whole)).faceId).toBe(faceId)
    await host.call(deleteCollection, { apiKey: first.apiKey, query: { collectionId: damaged } })
    expect(await problemOf(search(damaged))).toBe('not_found')
    await host.close()
  })

  /** Flips one bit in the sealed part. */
  async function alterFaces(store: Store): Promise<void> {
    for await (const { key, value } of store.list('face/')) {
      const altered = Buffer.from(value)
      altered[altered.length - 1]! ^= 1
      await store.put(key, altered)
    }
  }
})

test('a record that is no longer JSON is refused with a message that shows nothing of it', () => {
  const record = Buffer.from('{"schema":1,"value":"hidden word')
  expect(() => jsonCodec<string>().decode(record)).toThrow(
    'A record of the store is damaged and cannot be read',
  )
})

test.each(['face/', 'collection/'])('a record of a later schema is refused: %s', async (prefix) => {
  const store = createMemoryStore()
  const visitor = visitCollections(store)
  const added = await visitor.add('pinned', 7)
  for await (const { key, value } of store.list(prefix)) {
    const text = Buffer.from(value).toString()
    const later = Buffer.from(value[0] === 0x7b ? text.replace(/"schema":\d/, '"schema":9') : value)
    if (value[0] !== 0x7b) later[0] = 9
    await store.put(key, later)
  }
  await expect(visitor.remove('pinned', [added])).rejects.toThrow('A record has schema 9')
})
