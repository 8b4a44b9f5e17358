import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Blobs } from '#server/platform/store/blobs/blobs.ts'
import { createFolderBlobs } from '#server/platform/store/blobs/folder-blobs.ts'
import { createMemoryBlobs } from '#server/platform/store/blobs/memory-blobs.ts'
import { openPostgresStore, type PostgresStore } from '#server/platform/store/drivers/postgres/postgres.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../support/programs/postgres-server.ts'

const bytesOf = (...values: number[]) => Uint8Array.from(values)

/** The behaviour required of every blob storage. */
function keepsBlobs(open: () => Blobs): void {
  const read = async (owner: string) =>
    (await open().get(owner)).map(({ name, bytes }) => [name, [...bytes]] as const)
  const owners = async () => {
    const all: string[] = []
    for await (const owner of open().owners()) all.push(owner)
    return all.sort()
  }

  test('returns stored blobs by name, and none of another owner', async () => {
    await open().put('one', 'b', bytesOf(2))
    await open().put('one', 'a', bytesOf(0, 255))
    await open().put('two', 'a', bytesOf(3))
    expect(await read('one')).toEqual([
      ['a', [0, 255]],
      ['b', [2]],
    ])
    expect(await read('nobody')).toEqual([])
    expect(await owners()).toEqual(['one', 'two'])
  })

  test('replaces the blob of a name', async () => {
    await open().put('one', 'a', bytesOf(9, 9, 9))
    expect((await read('one'))[0]).toEqual(['a', [9, 9, 9]])
  })

  test('removes some or all blobs of an owner; removing a missing one is not an error', async () => {
    await open().remove('one', ['a', 'unheard-of'])
    expect(await read('one')).toEqual([['b', [2]]])
    await open().remove('one')
    await open().remove('one')
    expect(await read('one')).toEqual([])
    expect(await owners()).toEqual(['two'])
  })

  test('stores a large blob completely', async () => {
    const large = Uint8Array.from({ length: 600_000 }, (_, i) => i % 251)
    await open().put('large', 'whole', large)
    expect(Buffer.from((await open().get('large'))[0]!.bytes).equals(Buffer.from(large))).toBe(true)
  })

  test.each(['', '../up', 'a/b', 'a.b', 'a b'])('takes no name such as %j', async (name) => {
    await expect(open().put(name, 'a', bytesOf(1))).rejects.toThrow('is not a valid name of a blob')
    await expect(open().put('one', name, bytesOf(1))).rejects.toThrow('is not a valid name of a blob')
  })
}

describe('blobs in memory', () => {
  const blobs = createMemoryBlobs()
  keepsBlobs(() => blobs)
})

describe('blobs in a folder', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selfsame-blobs-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const place = () => join(folder, 'evidence')
  keepsBlobs(() => createFolderBlobs(place()))

  test('are readable only by their owner', async () => {
    await createFolderBlobs(place()).put('mode', 'a', bytesOf(1))
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777
    expect(await modeOf(join(place(), 'mode'))).toBe(0o700)
    expect(await modeOf(join(place(), 'mode', 'a'))).toBe(0o600)
  })

  test('leave nothing behind after a failed write', async () => {
    const blobs = createFolderBlobs(place())
    await blobs.put('torn', 'a', bytesOf(1))
    await expect(blobs.put('torn', 'a', 7 as never)).rejects.toThrow()
    expect(await readdir(join(place(), 'torn'))).toEqual(['a'])
  })
})

describe.skipIf(!hasPostgresServer)(`blobs in PostgreSQL${needsPostgresServer}`, () => {
  let server: PostgresServer
  let store: PostgresStore
  beforeAll(async () => {
    server = await startPostgresServer()
    store = await openPostgresStore(server.address, { tag: 'blobs', onFailure: () => undefined })
  })
  afterAll(async () => {
    await store?.close()
    await server?.stop()
  })
  keepsBlobs(() => store.blobs)

  test('are excluded from snapshots', async () => {
    await store.put('a-record', bytesOf(1))
    const keys: string[] = []
    for await (const { key } of store.snapshot().entries) keys.push(key)
    expect(keys).toEqual(['a-record'])
  })
})
