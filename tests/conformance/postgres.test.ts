import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresStore } from '#server/platform/store/drivers/postgres/postgres.ts'
import type { Clock } from '#server/platform/store/store.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../support/programs/postgres-server.ts'
import { rateCounterConformance } from './rate-counter.ts'
import { storeConformance } from './store.ts'
import { storeOnServerConformance } from './store-on-server.ts'

describe.skipIf(!hasPostgresServer)(`a PostgreSQL server${needsPostgresServer}`, () => {
  let server: PostgresServer
  let stores = 0

  beforeAll(async () => {
    server = await startPostgresServer()
  })
  afterAll(() => server?.stop())

  const open = (tag: string, now?: Clock) =>
    openPostgresStore(server.address, { tag, ...(now && { now }), onFailure: () => undefined })

  storeConformance('postgres', async (now) => {
    const store = await open(`conformance ${stores++}`, now)
    return { store, dispose: () => store.close() }
  })

  rateCounterConformance('postgres', async () => {
    const tag = `counter ${stores++}`
    const [one, other] = [await open(tag), await open(tag)]
    return {
      one: one.rateCounter,
      other: other.rateCounter,
      dispose: async () => void (await Promise.all([one.close(), other.close()])),
    }
  })

  storeOnServerConformance('postgres', open)

  test('reports whether every write is on disk before it is acknowledged', async () => {
    const store = await open('traits')
    expect(await store.server.traits()).toEqual({ keepsEveryWrite: false, evicts: false })
    expect(Math.abs((await store.server.time()) - Date.now())).toBeLessThan(5000)
    await store.close()
    const durable = await startPostgresServer({ settings: ['fsync=on'] })
    const openThere = (words = '') =>
      openPostgresStore(durable.address + words, { tag: 'traits', onFailure: () => undefined })
    const kept = await openThere()
    expect(await kept.server.traits()).toEqual({ keepsEveryWrite: true, evicts: false })
    await kept.close()
    await durable.sql("ALTER ROLE selfsame SET synchronous_commit = 'off'")
    const careless = await openThere()
    expect(await careless.server.traits()).toEqual({ keepsEveryWrite: false, evicts: false })
    await careless.close()
    await durable.stop()
  })

  test('does not write counts to the write-ahead log, unlike every other write', async () => {
    const store = await open('counts')
    const written = async () =>
      Number((await server.sql("SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes"))[0]!.bytes)
    const waits = async (work: () => Promise<unknown>) => {
      const before = await written()
      await work()
      return (await written()) - before
    }
    await store.rateCounter.add('somebody', 60)
    const counted = await waits(async () => {
      for (let i = 0; i < 20; i++) await store.rateCounter.add('somebody', 60)
    })
    expect((await store.rateCounter.peek('somebody', 60)).count).toBe(21)
    expect(counted).toBeLessThan(await waits(() => store.put('a', new Uint8Array(5000))))
    const [row] = await server.sql('SELECT key FROM selfsame_counts.counts')
    expect(row!.key).not.toContain('somebody')
    await store.close()
  })
})
