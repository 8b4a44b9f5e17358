import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { openPostgresStore } from '#server/platform/store/drivers/postgres/postgres.ts'
import { openRedisStore } from '#server/platform/store/drivers/redis.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { some } from '../../e2e/support/length.ts'
import { hasPostgresServer, needsPostgresServer, startPostgresServer } from './programs/postgres-server.ts'
import { hasRedisServer, needsRedisServer, startRedisServer } from './programs/redis-server.ts'

/** Creating a new cluster takes a few seconds. */
const startsWithinMilliseconds = 60_000

/** A store that several processes may open at once. */
export interface SharedStore {
  /** Opens another view of it, as another process would. */
  open(now?: Clock): Promise<Store>
  /** Its folder, or its address. */
  place(): string
}

type Tests = (shared: SharedStore) => void

/**
 * Describes how every store that processes can share behaves: on an LMDB folder and, in the long form, on a
 * PostgreSQL and a Redis server.
 */
export function describeOnSharedStores(name: string, tests: Tests): void {
  for (const describeOn of some([onLmdb, onPostgres, onRedis])) describeOn(name, tests)
}

function onLmdb(name: string, tests: Tests): void {
  describe(`${name}, on LMDB`, () => {
    let folder: string
    const opened: Store[] = []
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'selfsame-shared-'))
    })
    afterAll(async () => {
      for (const store of opened) await store.close()
      await rm(folder, { recursive: true, force: true })
    })
    tests({
      place: () => folder,
      async open(now) {
        const store = openLmdbStore(folder, now)
        opened.push(store)
        return store
      },
    })
  })
}

function onRedis(name: string, tests: Tests): void {
  describe.skipIf(!hasRedisServer)(`${name}, on Redis${needsRedisServer}`, () => {
    let server: Awaited<ReturnType<typeof startRedisServer>>
    const opened: Store[] = []
    beforeAll(async () => {
      server = await startRedisServer()
    })
    afterAll(async () => {
      for (const store of opened) await store.close()
      await server.stop()
    })
    tests({
      place: () => server.address,
      async open(now) {
        const options = { tag: 'shared', onFailure: () => undefined, ...(now && { now }) }
        const store = await openRedisStore(server.address, options)
        opened.push(store)
        return store
      },
    })
  })
}

function onPostgres(name: string, tests: Tests): void {
  describe.skipIf(!hasPostgresServer)(`${name}, on PostgreSQL${needsPostgresServer}`, () => {
    let server: Awaited<ReturnType<typeof startPostgresServer>>
    const opened: Store[] = []
    beforeAll(async () => {
      server = await startPostgresServer()
    }, startsWithinMilliseconds)
    afterAll(async () => {
      for (const store of opened) await store.close()
      await server?.stop()
    })
    tests({
      place: () => server.address,
      async open(now) {
        const options = { tag: 'shared', onFailure: () => undefined, ...(now && { now }) }
        const store = await openPostgresStore(server.address, options)
        opened.push(store)
        return store
      },
    })
  })
}
