import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRedisStore } from '#server/platform/store/drivers/redis.ts'
import type { Clock } from '#server/platform/store/store.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import { storeConformance } from './store.ts'
import { storeOnServerConformance } from './store-on-server.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe.skipIf(!hasRedisServer)(`a Redis server${needsRedisServer}`, () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always'])
  })
  afterAll(() => server.stop())

  const open = (tag: string, now?: Clock) =>
    openRedisStore(server.address, { tag, ...(now && { now }), onFailure: () => undefined })

  storeConformance('redis', async (now) => {
    const store = await open(`conformance ${stores++}`, now)
    return { store, dispose: () => store.close() }
  })

  storeOnServerConformance('redis', open)

  test('deletes expired entries by itself some time after the last sweep', async () => {
    const store = await open('expiring')
    await store.put('a', bytes('one'), 10)
    await store.put('b', bytes('two'))
    const { createClient } = await import('redis')
    const client = createClient({ url: server.address })
    await client.connect()
    const left = await client.ttl('{selfsame:expiring}:entry:a')
    expect(left).toBeGreaterThan(10)
    expect(left).toBeLessThanOrEqual(130)
    expect(await client.ttl('{selfsame:expiring}:entry:b')).toBe(-1)
    await client.close()
    await store.close()
  })

  test('keeps every key in one hash slot, as a cluster requires', async () => {
    const store = await open('one-slot')
    await store.put('a{b}', bytes('one'), 10)
    const { createClient } = await import('redis')
    const client = createClient({ url: server.address })
    await client.connect()
    const keys = await client.keys('*one-slot*')
    expect(keys).toHaveLength(3)
    expect(keys.every((key) => key.startsWith('{selfsame:one-slot}:'))).toBe(true)
    await client.close()
    await store.close()
  })

  test('reports whether every write is on disk before it is acknowledged, and whether entries may be evicted', async () => {
    const store = await open('traits')
    expect(await store.server.traits()).toEqual({ keepsEveryWrite: true, evicts: false })
    expect(await store.server.bytes()).toBeGreaterThan(100_000)
    await store.close()
    const careless = await startRedisServer(['--maxmemory-policy', 'allkeys-lru'])
    const other = await openRedisStore(careless.address, { tag: 'traits', onFailure: () => undefined })
    expect(await other.server.traits()).toEqual({ keepsEveryWrite: false, evicts: true })
    await other.close()
    await careless.stop()
  })

  test('loses no acknowledged write when the server is killed, fails fast meanwhile, and recovers', async () => {
    const failures: unknown[] = []
    const store = await openRedisStore(server.address, {
      tag: 'killed',
      onFailure: (error) => failures.push(error),
    })
    await store.put('a', bytes('one'))
    await server.kill()
    await expect(store.get('a')).rejects.toMatchObject({ code: 'store_unavailable' })
    await server.start()
    await expect
      .poll(async () => store.get('a'), { timeout: 10_000 })
      .toEqual(expect.objectContaining({ length: 3 }))
    expect(failures.length).toBeGreaterThan(0)
    await store.close()
  })
})

test('a missing Redis server is reported at the start', async () => {
  const nowhere = openRedisStore('redis://127.0.0.1:1', { tag: 'none', onFailure: () => undefined })
  await expect(nowhere).rejects.toThrow('The Redis server in STORE cannot be reached')
})
