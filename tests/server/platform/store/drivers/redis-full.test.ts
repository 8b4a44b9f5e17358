import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore, troublesOf } from '#server/platform/store/open-store.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../../../../support/programs/redis-server.ts'

describe.skipIf(!hasRedisServer)(`a Redis server without room${needsRedisServer}`, () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedisServer(['--maxmemory', '3mb', '--maxmemory-policy', 'noeviction'])
  })
  afterAll(() => redis?.stop())

  test('answers writes 503 with the reason, and serves reads', async () => {
    const failures: unknown[] = []
    const settings = { dataDir: '', storeAddress: redis.address, region: 'EU' } as const
    const opened = await openStore(settings, (error) => failures.push(error))
    const { store } = opened
    await store.put('before', Buffer.from('a'))
    const fill = async () => {
      for (let i = 0; i < 100; i++) await store.put(`fill ${i}`, Buffer.alloc(100_000))
    }
    await expect(fill()).rejects.toMatchObject({
      code: 'store_read_only',
      status: 503,
      retryAfterInSeconds: 5,
    })
    expect(troublesOf(opened)).toEqual(['The store refuses writes: Redis is out of memory.'])
    expect(String(failures)).toContain('Redis is out of memory')
    expect(Buffer.from((await store.get('before'))!).toString()).toBe('a')
    // Reads are counted as well, separately in each process.
    const { rateCounter } = opened
    expect((await rateCounter.peek('somebody', 60)).count).toBe(0)
    for (const count of [1, 2, 3]) expect((await rateCounter.add('somebody', 60)).count).toBe(count)
    expect((await rateCounter.peek('somebody', 60)).count).toBe(3)
    await store.close()
  })

  test('a server that has become a replica answers reads, and counts them', async () => {
    const replica = await startRedisServer()
    const failures: unknown[] = []
    const settings = { dataDir: '', storeAddress: replica.address, region: 'EU' } as const
    const opened = await openStore(settings, (error) => failures.push(error))
    await opened.store.put('before', Buffer.from('a'))
    const admin = await createClient({ url: replica.address }).connect()
    await admin.configSet('replica-serve-stale-data', 'yes')
    await admin.sendCommand(['REPLICAOF', '127.0.0.1', '1'])
    expect(Buffer.from((await opened.store.get('before'))!).toString()).toBe('a')
    expect((await opened.rateCounter.peek('somebody', 60)).count).toBe(0)
    expect((await opened.rateCounter.add('somebody', 60, 2)).count).toBe(2)
    expect((await opened.rateCounter.add('somebody', 60)).count).toBe(3)
    admin.destroy()
    await opened.store.close()
    await replica.stop()
  })

  test('reports its clock, which is the same on one machine', async () => {
    const settings = { dataDir: '', storeAddress: redis.address, region: 'US' } as const
    const { store, clock } = await openStore(settings, () => undefined)
    expect(Math.abs(clock!.driftInSeconds()!)).toBeLessThan(1)
    expect(clock!.trouble()).toBeUndefined()
    await store.close()
  })
})
