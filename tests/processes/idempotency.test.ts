import '../long-alone.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getKeys } from '#shared/contract/account/account.ts'
import { some } from '../../e2e/support/length.ts'
import { type ProcessGroup, startProcessGroup } from '../support/programs/process-group.ts'
import { stillLoading } from '../support/programs/server-process.ts'
import { type StoreServer, storeServers } from '../support/programs/store-server.ts'

/** Use `IDEMPOTENCY_REPEATS=1000` for the full race. */
const repeats = Number(process.env.IDEMPOTENCY_REPEATS ?? 120)
const repeatsOfOne = 10

describe.each(some(storeServers))('repeats raced over three processes on %s', (_name, kind) => {
  if (kind.isMissing) return test.skip(`needs ${kind.name}`, () => undefined)
  let server: StoreServer
  let group: ProcessGroup
  beforeAll(async () => {
    server = await kind.start()
    group = await startProcessGroup(3, { ...stillLoading, STORE: server.address, ROLES: 'configuration' })
  })
  afterAll(async () => {
    await group?.stop()
    await server?.stop()
  })

  /** Repeats the call until it gets an answer, as a client does. */
  async function ask(name: string): Promise<{ keyId: string; replayed: boolean }> {
    for (;;) {
      const answer = await group.fetch('/v1/account/create-key', {
        method: 'POST',
        headers: {
          authorization: `ApiKey ${group.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': name,
        },
        body: JSON.stringify({ name, scopes: [] }),
      })
      const body = await answer.json()
      const replayed = answer.headers.get('idempotency-replayed') === 'true'
      if (answer.status === 200) return { keyId: body.keyId, replayed }
      expect([answer.status, body.code]).toEqual([409, 'idempotency_in_progress'])
      await pause(20)
    }
  }

  test(`have one effect each: ${repeats} requests, ${repeatsOfOne} of each`, async () => {
    const names = Array.from({ length: repeats / repeatsOfOne }, (_, i) => `raced ${i}`)
    const raced = await Promise.all(
      names.map((name) => Promise.all(Array.from({ length: repeatsOfOne }, () => ask(name)))),
    )
    const { keys } = await group.call(getKeys, {})
    for (const [at, answers] of raced.entries()) {
      const made = keys.filter(({ name }) => name === names[at])
      expect(made).toHaveLength(1)
      expect(new Set(answers.map(({ keyId }) => keyId))).toEqual(new Set([made[0]!.keyId]))
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    }
  })
})
