import '../long-alone.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getDeliveries } from '#shared/contract/account/webhook.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { submitSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { some } from '../../e2e/support/length.ts'
import { endOf, type ProcessGroup, startProcessGroup } from '../support/programs/process-group.ts'
import { type ReceiverAnswer, startReceiver } from '../support/programs/receiver.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import { type ServerProcess, startProcess, stillLoading } from '../support/programs/server-process.ts'
import { consent } from '../support/visit.ts'

const declined = { frames: [], consent: { ...consent, given: false } }

const kinds = [
  ['a Redis server', 'redis'],
  ['a folder', 'lmdb'],
] as const

describe.each(some(kinds))('the webhooks of three processes on %s', (_name, kind) => {
  const isMissing = kind === 'redis' && !hasRedisServer
  const needs = isMissing ? needsRedisServer : ''
  let redis: RedisServer | undefined
  let group: ProcessGroup
  const started: ServerProcess[] = []
  const closers: (() => unknown)[] = []
  beforeAll(async () => {
    if (isMissing) return
    if (kind === 'redis') redis = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always'])
    group = await startProcessGroup(3, { ...stillLoading, ...(redis && { STORE: redis.address }) })
  })
  afterEach(() => {
    for (const close of closers.splice(0)) close()
  })
  afterAll(async () => {
    await Promise.all(started.map(endOf))
    await group?.stop()
    await redis?.stop()
  })

  async function startHook(answers: readonly ReceiverAnswer[] = []) {
    const receiver = await startReceiver(answers)
    closers.push(receiver.close)
    const verificationConfig = { webhookConfig: { eventCallbackUrl: receiver.address } }
    const body = { name: receiver.address, verificationConfig }
    const { verificationId } = await group.call(createVerification, { body })
    const times = () => {
      const counts = new Map<string, number>()
      for (const { headers } of receiver.received) {
        const id = String(headers['webhook-id'])
        counts.set(id, (counts.get(id) ?? 0) + 1)
      }
      return [...counts.values()]
    }
    return { receiver, verificationId, times }
  }

  /** Ends `count` sessions, either through the next process each time or all through the same one. */
  function endSessions(verificationId: string, count: number, process?: ServerProcess) {
    const { apiKey } = group
    const call: ProcessGroup['call'] =
      process === undefined ? group.call : (endpoint, args) => process.call(endpoint, { ...args, apiKey })
    const end = async () => {
      const { sessionToken: bearer } = await call(createSession, { body: { verificationId } })
      await call(submitSession, { bearer, body: declined })
    }
    return Promise.all(Array.from({ length: count }, end))
  }

  test.skipIf(isMissing)(
    `are sent once each, whichever process ends a session${needs}`,
    async () => {
      const { receiver, verificationId, times } = await startHook()
      await endSessions(verificationId, 30)
      await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(30)
      await pause(1500)
      expect(times()).toEqual(new Array(30).fill(1))
    },
    60_000,
  )

  test.skipIf(isMissing)(
    `are taken over by one other when the process that sends them dies, and never sent a third time${needs}`,
    async () => {
      const deliveries = 8
      const hanging = new Array<ReceiverAnswer>(deliveries).fill('hang')
      const { receiver, verificationId, times } = await startHook(hanging)
      const [dying] = group.processes as [ServerProcess]
      await endSessions(verificationId, deliveries, dying)
      await expect.poll(() => receiver.received.length).toBe(deliveries)
      await dying.stop('SIGKILL')
      const fresh = await Promise.all([0, 1, 2].map(() => startProcess(group.environment())))
      started.push(...fresh)
      await expect
        .poll(() => receiver.received.length, { timeout: 60_000, interval: 200 })
        .toBe(2 * deliveries)
      await pause(3000)
      expect(times()).toEqual(new Array(deliveries).fill(2))
      const { deliveries: logged } = await fresh[0]!.call(getDeliveries, {
        query: { limit: deliveries },
        apiKey: group.apiKey,
      })
      for (const { state, attempts } of logged) {
        expect(state).toBe('delivered')
        expect(attempts.map(({ status, error }) => [status, error])).toEqual([
          [null, 'interrupted'],
          [200, null],
        ])
      }
    },
    120_000,
  )
})
