import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countOf } from '#server/platform/store/counts.ts'
import { openPostgresStore, type PostgresStore } from '#server/platform/store/drivers/postgres/postgres.ts'
import { putOf, type Write } from '#server/platform/store/store.ts'
import { type BreakableWay, startBreakableWay } from '../../../../../support/programs/breakable-way.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../../../../../support/programs/postgres-server.ts'

const one: Write = { kind: 'add', key: 'session-count/outcome', more: 1 }

describe.skipIf(!hasPostgresServer)(`a commit whose answer is lost${needsPostgresServer}`, () => {
  let server: PostgresServer
  let way: BreakableWay
  let store: PostgresStore
  let stores = 0
  beforeAll(async () => {
    server = await startPostgresServer()
  })
  afterAll(() => server?.stop())

  beforeEach(async () => {
    way = await startBreakableWay(server.port)
    const address = `postgres://selfsame@127.0.0.1:${way.port}/postgres?statement_timeout=3000`
    store = await openPostgresStore(address, { tag: `outcome ${stores++}`, onFailure: () => undefined })
    await store.commit([one], [])
  })
  afterEach(async () => {
    way.heal()
    await store.close()
    await way.stop()
  })

  const count = async () => countOf(await store.get(one.key))

  test('took effect once if the server had received it', async () => {
    way.hold('answers')
    const committed = store.commit([one], [])
    await pause(200)
    way.cut()
    expect(await committed).toBe(true)
    expect(await count()).toBe(2)
  })

  test('is repeated if the server never received it', async () => {
    way.hold('requests')
    const committed = store.commit([one], [])
    await pause(200)
    way.cut()
    expect(await committed).toBe(true)
    expect(await count()).toBe(2)
  })

  test('takes effect once, even if the first try reaches the server long after it was given up', async () => {
    way.hold('requests')
    expect(await store.commit([one], [])).toBe(true)
    expect(await count()).toBe(2)
    way.heal()
    await pause(500)
    expect(await count()).toBe(2)
  })

  test('is repeated if the answer to the status query is lost, too', async () => {
    const asked = () =>
      server.sql(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%.commits (id)%'`,
      )
    // The status query waits for a lock, so that the connection can be paused before an answer arrives.
    const schema = String(
      (await server.sql(`SELECT schemaname AS s FROM pg_tables WHERE tablename = 'commits'`)).at(-1)!.s,
    )
    way.hold('requests')
    const committed = store.commit([one], [])
    await pause(200)
    const lock = server.sql(
      `BEGIN; LOCK TABLE ${schema}.commits IN EXCLUSIVE MODE; SELECT pg_sleep(1.5); COMMIT`,
    )
    await pause(200)
    way.cut()
    await expect.poll(asked, { timeout: 1200, interval: 20 }).toHaveLength(1)
    way.hold('answers')
    await lock
    await pause(200)
    way.cut()
    expect(await committed).toBe(true)
    expect(await count()).toBe(2)
  })

  test('returns the result of its guards although the first answer was lost', async () => {
    way.hold('answers')
    const committed = store.commit([one], [{ key: 'not there', value: Uint8Array.of(1) }])
    await pause(200)
    way.cut()
    expect(await committed).toBe(false)
    expect(await count()).toBe(1)
  })

  test('is answered 503 if the outcome cannot be determined in time', async () => {
    way.part()
    const started = performance.now()
    await expect(store.commit([one], [])).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(performance.now() - started).toBeLessThan(20_000)
  }, 30_000)

  test('is one of many when the server is killed: no acknowledged one is lost, none is doubled', async () => {
    const written = Array.from({ length: 120 }, (_, i) => putOf(`written/${i}`, Uint8Array.of(i)))
    const told: boolean[] = []
    const working = written.map(async (write, i) => {
      await pause(i * 4)
      told[i] = await store
        .commit([write, one], [{ key: write.key, value: undefined }])
        .catch((error: { code: string }) => {
          expect(error.code).toBe('store_unavailable')
          return false
        })
    })
    await pause(200)
    await server.kill()
    await server.start()
    await Promise.all(working)
    const there = await Promise.all(written.map(({ key }) => store.get(key)))
    for (const [i, isTold] of told.entries()) if (isTold) expect(there[i]).toBeDefined()
    expect(await count()).toBe(1 + there.filter((value) => value !== undefined).length)
    expect(told.filter(Boolean).length).toBeGreaterThan(20)
  })
})
