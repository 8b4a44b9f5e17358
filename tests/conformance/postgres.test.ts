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

const bytes = (text: string) => new TextEncoder().encode(text)

describe.skipIf(!hasPostgresServer)(`a PostgreSQL server${needsPostgresServer}`, () => {
  let server: PostgresServer
  let stores = 0

  beforeAll(async () => {
    server = await startPostgresServer()
  }, 60_000)
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

  test('shows one process what another has written', async () => {
    const [one, other] = [await open('shared'), await open('shared')]
    await one.put('a', bytes('one'))
    expect(await other.putIfAbsent('a', bytes('two'))).toBe(false)
    expect(
      await other.commit([{ key: 'a', value: bytes('three') }], [{ key: 'a', value: bytes('one') }]),
    ).toBe(true)
    expect(Buffer.from((await one.get('a'))!).toString()).toBe('three')
    await Promise.all([one.close(), other.close()])
  })

  test('keeps two regions apart', async () => {
    const [one, other] = [await open('EU'), await open('US')]
    await one.put('a', bytes('one'))
    expect(await other.get('a')).toBeUndefined()
    await Promise.all([one.close(), other.close()])
  })
})
