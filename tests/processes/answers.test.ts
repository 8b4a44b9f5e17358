import '../long-alone.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tortureProcesses } from '#lab/torture/processes.ts'
import { isLong } from '../../e2e/support/length.ts'
import { type ProcessGroup, startProcessGroup } from '../support/programs/process-group.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import { hasSharedData, needsSharedData } from '../support/shared-data.ts'

const people = isLong ? 40 : 15
const copies = 5

describe.skipIf(!hasSharedData || !hasRedisServer)(
  `three processes that share a store${needsSharedData}${needsRedisServer}`,
  () => {
    let redis: RedisServer
    let group: ProcessGroup
    beforeAll(async () => {
      redis = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always'])
      group = await startProcessGroup(3, { STORE: redis.address })
      await group.ready()
    })
    afterAll(async () => {
      await group?.stop()
      await redis?.stop()
    })

    test("answer as a single process would that took the calls in turn, and see each other's changes at once", async () => {
      const processes = group.processes.map(({ origins }) => ({ origin: origins[0]!, apiKey: group.apiKey }))
      const figures = await tortureProcesses({ people, copies, processes, underWayAtEach: 8, looks: 3 })
      expect(figures).toMatchObject({
        'processes.calls': people * copies,
        'processes.face indexed, asks of another process': 1,
        'processes.collection deleted, asks of another process': 1,
        'processes.key revoked, asks of another process': 1,
      })
      expect(figures['processes.faces indexed']).toBeGreaterThan(people * 0.9)
    }, 600_000)
  },
)

/** The same calls as on Redis, using files that both processes keep open. Only runs in the long form. */
const onFolder = isLong ? describe.skipIf(!hasSharedData) : undefined
onFolder?.(`two processes that share a folder${needsSharedData}`, () => {
  let group: ProcessGroup
  beforeAll(async () => {
    group = await startProcessGroup(2)
    await group.ready()
  })
  afterAll(() => group?.stop())

  test("answer as a single process would that took the calls in turn, and see each other's changes at once", async () => {
    const processes = group.processes.map(({ origins }) => ({ origin: origins[0]!, apiKey: group.apiKey }))
    const figures = await tortureProcesses({ people: 10, copies, processes, underWayAtEach: 8, looks: 3 })
    expect(figures).toMatchObject({
      'processes.calls': 50,
      'processes.face indexed, asks of another process': 1,
      'processes.collection deleted, asks of another process': 1,
      'processes.key revoked, asks of another process': 1,
    })
  }, 300_000)
})
