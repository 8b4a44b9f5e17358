import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { openPostgresStore } from '#server/platform/store/drivers/postgres/postgres.ts'
import { openRedisStore } from '#server/platform/store/drivers/redis.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../support/programs/postgres-server.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import { openidEntitiesConformance } from './openid-entities.ts'

openidEntitiesConformance('memory', async (now) => {
  const store = createMemoryStore(now)
  return { store, dispose: () => store.close() }
})

openidEntitiesConformance('lmdb', async (now) => {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-store-'))
  const store = openLmdbStore(folder, now)
  const dispose = async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { store, dispose }
})

describe.skipIf(!hasRedisServer)(`a Redis server${needsRedisServer}`, () => {
  let server: RedisServer
  let stores = 0
  beforeAll(async () => {
    server = await startRedisServer()
  })
  afterAll(() => server?.stop())
  openidEntitiesConformance('redis', async (now) => {
    const store = await openRedisStore(server.address, {
      tag: `openid ${stores++}`,
      now,
      onFailure: () => undefined,
    })
    return { store, dispose: () => store.close() }
  })
})

describe.skipIf(!hasPostgresServer)(`a PostgreSQL server${needsPostgresServer}`, () => {
  let server: PostgresServer
  let stores = 0
  beforeAll(async () => {
    server = await startPostgresServer()
  }, 60_000)
  afterAll(() => server?.stop())
  openidEntitiesConformance('postgres', async (now) => {
    const store = await openPostgresStore(server.address, {
      tag: `openid ${stores++}`,
      now,
      onFailure: () => undefined,
    })
    return { store, dispose: () => store.close() }
  })
})
