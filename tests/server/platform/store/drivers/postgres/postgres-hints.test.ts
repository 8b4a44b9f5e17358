import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresStore } from '#server/platform/store/drivers/postgres/postgres.ts'
import type { Write } from '#server/platform/store/store.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../../../../../support/programs/postgres-server.ts'

const change: Write = { kind: 'append', key: 'session-change/log', value: Uint8Array.of(1) }

describe.skipIf(!hasPostgresServer)(`hints of a PostgreSQL server${needsPostgresServer}`, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgresServer()
  })
  afterAll(() => server?.stop())

  const open = (tag: string) => openPostgresStore(server.address, { tag, onFailure: () => undefined })
  const listening = async () =>
    (await server.sql("SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"))[0]!.n

  test('announce another process’s change, within one region, and only to listeners', async () => {
    const [one, other, elsewhere] = [await open('EU'), await open('EU'), await open('US')]
    let told = 0
    const stop = other.onHint(() => told++)
    await expect.poll(listening).toBe(1)
    await elsewhere.commit([change], [])
    await one.put('a', Uint8Array.of(1))
    await one.commit([change], [{ key: 'nothing', value: Uint8Array.of(1) }])
    await new Promise((over) => setTimeout(over, 300))
    expect(told).toBe(0)
    await Promise.all(Array.from({ length: 20 }, () => one.commit([change], [])))
    await expect.poll(() => told).toBeGreaterThan(0)
    expect(told).toBeLessThan(20)
    stop()
    await expect.poll(listening).toBe(0)
    await Promise.all([one, other, elsewhere].map((store) => store.close()))
  })

  test('resume after the server was away', async () => {
    const [one, other] = [await open('EU'), await open('EU')]
    let told = 0
    other.onHint(() => told++)
    await expect.poll(listening).toBe(1)
    await server.kill()
    await server.start()
    await expect.poll(listening, { timeout: 15_000 }).toBe(1)
    await one.commit([change], [])
    await expect.poll(() => told).toBeGreaterThan(0)
    await Promise.all([one, other].map((store) => store.close()))
  })
})
