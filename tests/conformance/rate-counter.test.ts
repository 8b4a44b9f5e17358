import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { openRedisStore } from '#server/platform/store/drivers/redis.ts'
import { createSharedRateCounter } from '#server/platform/store/shared-rate-counter.ts'
import type { Store } from '#server/platform/store/store.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import { rateCounterConformance } from './rate-counter.ts'

const onFailure = (error: unknown) => {
  throw error
}
function countersOn(store: Store) {
  const open = () => createSharedRateCounter({ store, now: Date.now, onFailure })
  const [one, other] = [open(), open()]
  const dispose = async () => {
    await Promise.all([one.close(), other.close()])
    await store.close()
  }
  return { one, other, dispose }
}

rateCounterConformance('memory', async () => countersOn(createMemoryStore()))

rateCounterConformance('lmdb', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-counter-'))
  const counters = countersOn(openLmdbStore(folder))
  const dispose = async () => {
    await counters.dispose()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...counters, dispose }
})

test('the last uses are shared when the process ends', async () => {
  const { one, other } = countersOn(createMemoryStore())
  await one.add('a', 60)
  await one.close()
  expect((await other.peek('a', 60)).count).toBe(1)
})

test('the uses of a quarter of a second are committed to the store together', async () => {
  const store = createMemoryStore()
  let commits = 0
  const counting: Store = {
    ...store,
    commit: (...args) => {
      commits++
      return store.commit(...args)
    },
  }
  const { one, other } = countersOn(counting)
  for (let i = 0; i < 200; i++) await one.add(String(i % 10), 60)
  expect(commits).toBe(0)
  await expect.poll(async () => (await other.peek('9', 60)).count).toBe(20)
  expect(commits).toBe(1)
})

describe.skipIf(!hasRedisServer)(`a Redis server${needsRedisServer}`, () => {
  let server: RedisServer
  let stores = 0
  beforeAll(async () => {
    server = await startRedisServer()
  })
  afterAll(() => server.stop())

  const open = (tag: string) => openRedisStore(server.address, { tag, onFailure: () => undefined })

  rateCounterConformance('redis', async () => {
    const tag = `counter ${stores++}`
    const [one, other] = [await open(tag), await open(tag)]
    return {
      one: one.rateCounter,
      other: other.rateCounter,
      dispose: async () => void (await Promise.all([one.close(), other.close()])),
    }
  })

  test('counts exactly with several processes', async () => {
    const both = [await open('exact'), await open('exact')]
    const counts = await Promise.all(
      both.flatMap(({ rateCounter }) => Array.from({ length: 50 }, () => rateCounter.add('a', 60))),
    )
    expect(new Set(counts.map(({ count }) => count)).size).toBe(100)
    await Promise.all(both.map((store) => store.close()))
  })

  test('does not write counts to disk, unlike every other write', async () => {
    const durable = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always'])
    const store = await openRedisStore(durable.address, { tag: 'counts', onFailure: () => undefined })
    const { createClient } = await import('redis')
    const client = createClient({ url: durable.address })
    await client.connect()
    const written = async () => Number(/aof_current_size:(\d+)/.exec(await client.info('persistence'))?.[1])
    await store.put('a', Uint8Array.of(1))
    const before = await written()
    for (let i = 0; i < 20; i++) await store.rateCounter.add('a', 60)
    expect((await store.rateCounter.peek('a', 60)).count).toBe(20)
    expect(await written()).toBe(before)
    await store.put('a', Uint8Array.of(2))
    expect(await written()).toBeGreaterThan(before)
    await client.close()
    await store.close()
    await durable.stop()
  })

  test('stores no counted key in clear text, and drops it with its window', async () => {
    const store = await open('dropped')
    await store.rateCounter.add('failed-logins|192.0.2.1', 60)
    await store.rateCounter.peek('failed-logins|192.0.2.2', 60)
    const { createClient } = await import('redis')
    const client = createClient({ url: server.address })
    await client.connect()
    const keys = await client.keys('{selfsame:dropped}*')
    expect(keys).toHaveLength(1)
    expect(keys[0]).not.toContain('192.0.2')
    expect(await client.ttl(keys[0]!)).toBeGreaterThan(50)
    await client.close()
    await store.close()
  })
})
