import '../long-alone.ts'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createCollection,
  getCollection,
  searchFace,
  searchOrIndexFace,
} from '#shared/contract/recognition/recognition.ts'
import { isLong } from '../../e2e/support/length.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  startPostgresServer,
} from '../support/programs/postgres-server.ts'
import { createStarts, type Started } from '../support/programs/server-outage.ts'

const { closers, startOn, closeAll } = createStarts('selfsame-rolling-')
afterEach(closeAll, 60_000)

const secret = 'a secret of thirty-two characters.'
const drainSeconds = 3
const asksEachMilliseconds = 250
const processes = 3
/** Only one in the short form. */
const replaced = isLong ? processes : 1

/** The proxy in front of a fleet. It checks whether each process is ready, and sends calls to those that are. */
function balance(fleet: Set<Started>) {
  const ready = new Set<Started>()
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      for (const one of fleet) {
        const answer = await fetch(`${one.server.origins[0]}/v1/readyz`).catch(() => undefined)
        if (answer?.status === 200) ready.add(one)
        else ready.delete(one)
      }
      for (const one of ready) if (!fleet.has(one)) ready.delete(one)
      await pause(asksEachMilliseconds)
    }
  })()
  return {
    count: () => ready.size,
    next: (i: number) => [...ready][i % ready.size]!,
    async end() {
      isOver = true
      await asking
    },
  }
}

describe.skipIf(!hasPostgresServer)(`a fleet on PostgreSQL${needsPostgresServer}`, () => {
  test(`of ${processes} processes serves one account while ${isLong ? 'each in turn' : 'one of them'} is replaced: no call fails`, async () => {
    const postgres = await startPostgresServer()
    closers.push(postgres.stop)
    const apiKey = 'k'.repeat(43)
    const settings = {
      ...{ SECRET: secret, FACE_INDEX: 'postgres', FIRST_API_KEY: apiKey },
      ...{ DRAIN_SECONDS: String(drainSeconds), RATE_LIMIT_ANALYSES: 'off', RATE_LIMIT_REQUESTS: 'off' },
    }
    const start = () => startOn(`${postgres.address}?statement_timeout=20000`, settings)
    const fleet = new Set<Started>()
    for (let i = 0; i < processes; i++) fleet.add(await start())
    const balancer = balance(fleet)
    await expect.poll(balancer.count, { timeout: 60_000 }).toBe(processes)

    const image = { bytes: (await readFile('tests/support/pictures/astronaut.png')).toString('base64') }
    const body = { collectionId: 'people', image }
    const first = balancer.next(0).server
    await first.call(createCollection, { apiKey, body: { collectionId: 'people', description: null } })
    const { faceId } = await first.call(searchOrIndexFace, { apiKey, body })
    expect(faceId).not.toBeNull()

    const failures: unknown[] = []
    const served = new Map<Started, number>()
    let isOver = false
    let calls = 0
    async function client(): Promise<void> {
      while (!isOver) {
        const one = balancer.next(calls++)
        served.set(one, (served.get(one) ?? 0) + 1)
        try {
          if (calls % (isLong ? 5 : 15) === 0) {
            const known = await one.server.call(searchFace, { apiKey, body })
            if (known.faceId !== faceId) failures.push(known)
          } else await one.server.call(getCollection, { apiKey, query: { collectionId: 'people' } })
        } catch (error) {
          failures.push(error)
        }
        await pause(50)
      }
    }
    const clients = [client(), client()]
    for (const old of [...fleet].slice(0, replaced)) {
      const replacement = await start()
      fleet.add(replacement)
      await expect.poll(balancer.count, { timeout: 60_000 }).toBe(processes + 1)
      // For a while, it reports that it is stopping but still accepts calls.
      expect(await old.server.stop('SIGTERM')).toBe(0)
      fleet.delete(old)
      await expect.poll(balancer.count, { timeout: 60_000 }).toBe(processes)
      await expect.poll(() => served.get(replacement) ?? 0, { timeout: 60_000 }).toBeGreaterThan(2)
    }
    isOver = true
    await Promise.all(clients)
    await balancer.end()
    expect(failures).toEqual([])
    expect(served.size).toBe(processes + replaced)
    expect(calls).toBeGreaterThan(50)
  }, 300_000)
})
