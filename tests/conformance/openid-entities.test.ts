import { afterAll, beforeAll, describe } from 'vitest'
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
import { freshLmdbStore, freshMemoryStore } from './fresh-stores.ts'
import { openidEntitiesConformance } from './openid-entities.ts'

openidEntitiesConformance('memory', freshMemoryStore)
openidEntitiesConformance('lmdb', freshLmdbStore)

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
  })
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
