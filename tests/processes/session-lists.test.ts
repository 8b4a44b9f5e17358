import '../long-alone.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { cancelSession, getSessions } from '#shared/contract/sessions/session-list.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { isLong } from '../../e2e/support/length.ts'
import { type ProcessGroup, startProcessGroup } from '../support/programs/process-group.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import { stillLoading } from '../support/programs/server-process.ts'

const there = 60
const perPage = 7
const verifierConfigs = { age: { type: 'CalculationOnly' } } as const

/** How lists behave when three processes take turns answering. */
function holds(start: () => Promise<{ group: ProcessGroup; stop: () => Promise<void> }>): void {
  let group: ProcessGroup
  let stop: () => Promise<void>
  beforeAll(async () => {
    ;({ group, stop } = await start())
  })
  afterAll(() => stop?.())

  const create = async (externalId: string) =>
    (await group.call(createSession, { body: { verifierConfigs, externalId } })).verificationSessionId

  /** All pages, each from the next process. `meanwhile` runs concurrently with the next call. */
  async function walk(filters: object, meanwhile: (page: number) => Promise<unknown>): Promise<string[]> {
    const found: string[] = []
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const query = { limit: perPage, ...filters, ...(cursor !== null && { cursor }) }
      const asked: Promise<ResultOf<typeof getSessions>> = group.call(getSessions, { query })
      const [answer] = await Promise.all([asked, page > 0 && meanwhile(page)])
      found.push(...answer.sessions.map(({ verificationSessionId }) => verificationSessionId))
      cursor = answer.cursor
    }
    return found
  }

  test('contains nothing twice and omits nothing while other processes open sessions', async () => {
    const first: string[] = []
    for (let i = 0; i < there; i++) first.push(await create('walked'))
    let coming = 0
    const meanwhile = async () => {
      await Promise.all([create('walked'), create('walked'), create('other')])
      coming += 2
    }
    expect(await walk({ externalId: 'walked' }, meanwhile)).toEqual(first.toReversed())
    expect(coming).toBeGreaterThan(there / perPage)
    const anew = await walk({ externalId: 'walked' }, async () => undefined)
    expect(new Set(anew).size).toBe(there + coming)
    expect(anew).toHaveLength(there + coming)
  })

  test('lists sessions that matched at the first page even if another process has changed them since', async () => {
    const first: string[] = []
    for (let i = 0; i < there / 2; i++) first.push(await create('changed'))
    const oldestFirst = [...first]
    const cancelled: string[] = []
    const meanwhile = async () => {
      const verificationSessionId = oldestFirst.shift()
      if (verificationSessionId === undefined) return
      cancelled.push(verificationSessionId)
      await group.call(cancelSession, { body: { verificationSessionId } })
    }
    const filters = { externalId: 'changed', state: 'Created' }
    expect(await walk(filters, meanwhile)).toEqual(first.toReversed())
    expect(cancelled.length).toBeGreaterThan(2)
    expect(await walk(filters, async () => undefined)).toEqual(
      first.filter((id) => !cancelled.includes(id)).toReversed(),
    )
  })
}

describe('get-sessions of three processes on one folder', () => {
  holds(async () => {
    const group = await startProcessGroup(3, { ...stillLoading, ROLES: 'configuration' })
    return { group, stop: () => group.stop() }
  })
})

const onRedis = isLong ? describe.skipIf(!hasRedisServer) : undefined
onRedis?.(`get-sessions of three processes on Redis${needsRedisServer}`, () => {
  holds(async () => {
    const redis: RedisServer = await startRedisServer()
    const group = await startProcessGroup(3, {
      ...stillLoading,
      STORE: redis.address,
      ROLES: 'configuration',
    })
    const stop = async () => {
      await group.stop()
      await redis.stop()
    }
    return { group, stop }
  })
})
