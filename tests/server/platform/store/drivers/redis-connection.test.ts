import { afterEach, describe, expect, test } from 'vitest'
import { openRedisStore } from '#server/platform/store/drivers/redis.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../../../../support/programs/redis-server.ts'

describe.skipIf(!hasRedisServer)(`a connection that is closed${needsRedisServer}`, () => {
  let redis: RedisServer
  afterEach(() => redis.stop())

  const open = async () => {
    redis = await startRedisServer()
    return openRedisStore(redis.address, { tag: 'EU', onFailure: () => undefined })
  }

  test('waits for pending commands', async () => {
    const store = await open()
    const asked = store.get('key')
    await store.close()
    expect(await asked).toBeUndefined()
  })

  test('does not wait for a server that has gone silent', async () => {
    const store = await open()
    redis.suspend()
    const asked = expect(store.get('key')).rejects.toThrow()
    await store.close()
    await asked
  })

  test('does not wait for a server that is gone', async () => {
    const store = await open()
    redis.suspend()
    const asked = expect(store.get('key')).rejects.toThrow()
    const closed = store.close()
    await redis.kill()
    await closed
    await asked
  })
})
