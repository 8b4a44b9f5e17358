import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from 'redis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRedisStore, type RedisStore } from '#server/platform/store/drivers/redis.ts'
import { startBreakableWay } from '../../../../support/programs/breakable-way.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../../../../support/programs/redis-server.ts'

const watch = '{selfsame:EU}:snapshot'

describe.skipIf(!hasRedisServer)(`a snapshot of a Redis server${needsRedisServer}`, () => {
  let redis: RedisServer
  let server: ReturnType<typeof createClient>
  let store: RedisStore
  beforeAll(async () => {
    redis = await startRedisServer()
    server = createClient({ url: redis.address })
    await server.connect()
  })
  afterAll(async () => {
    server?.destroy()
    await redis?.stop()
  })
  beforeEach(async () => {
    await server.flushAll()
    store = await openRedisStore(redis.address, { tag: 'EU', onFailure: () => undefined })
  })
  afterEach(() => store.close())

  const fill = async (count: number) => {
    for (let i = 0; i < count; i++)
      await store.put(`kind/${String(i).padStart(4, '0')}`, Buffer.from('before'))
  }
  /** As if the reader had paused for as long as the watch lasts, so that writes during that time are not recorded. */
  const standStill = async () => {
    expect(await server.pExpire(watch, 1)).toBe(1)
    await pause(20)
    await store.put('kind/0000', Buffer.from('after'))
  }
  /** A snapshot's contents, with an event after `at` entries have been read. */
  async function read(at = 0, happens: () => Promise<unknown> = async () => undefined) {
    const found = new Map<string, string>()
    let count = 0
    for await (const { key, value } of store.snapshot().entries) {
      found.set(key, String(value))
      if (++count === at) await happens()
    }
    return found
  }

  test('includes what was written while it was read', async () => {
    await fill(30)
    const found = await read(10, () => store.put('kind/0000', Buffer.from('after')))
    expect([found.size, found.get('kind/0000'), found.get('kind/0001')]).toEqual([30, 'after', 'before'])
    expect(await server.exists([watch, `${watch}-changed`])).toBe(0)
  })

  test.each([
    ['in its last page', 30, 10],
    ['behind its last entry', 30, 30],
    ['before its last page', 250, 100],
  ])('fails if it stalled %s for as long as the watch lasts', async (_name, entries, at) => {
    await fill(entries)
    await expect(read(at, standStill)).rejects.toThrow('paused for more than 60 seconds')
    expect((await read()).get('kind/0000')).toBe('after')
  })

  test.each([
    ['in its last page', 30, 10],
    ['before its last page', 250, 100],
  ])('fails if another one began since, %s, and leaves that one alone', async (_name, entries, at) => {
    await fill(entries)
    const other = store.snapshot().entries[Symbol.asyncIterator]()
    const began = async () => {
      await standStill()
      await other.next()
    }
    await expect(read(at, began)).rejects.toThrow('paused for more than 60 seconds')
    await store.put('kind/0000', Buffer.from('after both'))
    const found = new Map<string, string>()
    for await (const { key, value } of { [Symbol.asyncIterator]: () => other }) found.set(key, String(value))
    expect(found.get('kind/0000')).toBe('after both')
  })

  test('keeps its record of writes while one that stalled at its beginning continues', async () => {
    await fill(30)
    const way = await startBreakableWay(Number(new URL(redis.address).port))
    const onWay = await openRedisStore(`redis://127.0.0.1:${way.port}`, {
      tag: 'EU',
      onFailure: () => undefined,
    })
    const slow = onWay.snapshot().entries[Symbol.asyncIterator]()
    way.hold('answers')
    const first = slow.next()
    while ((await server.exists(watch)) === 0) await pause(5)
    // The watch expires while the reader is paused.
    await server.del(watch)
    const found = await read(10, async () => {
      await store.put('kind/0000', Buffer.from('after'))
      way.heal()
      await first
    })
    expect(found.get('kind/0000')).toBe('after')
    await slow.return?.()
    await onWay.close()
    await way.stop()
  })

  test('that was abandoned lets the next one begin at once; one at a time is made', async () => {
    await fill(3)
    await expect(read(1, () => read())).rejects.toThrow('Another backup is running')
    expect((await read()).size).toBe(3)
  })
})
