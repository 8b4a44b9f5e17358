import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTable } from '#server/platform/store/tables.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { startReceiver } from '../../../../support/programs/receiver.ts'
import {
  newVerification,
  type Opened,
  openSession,
  problemOf,
  resultOf,
  step,
  submit,
} from '../../../../support/visit.ts'

const anna = { person: 'anna' }
const sevenDays = 7 * 24 * 3600_000

let host: Host
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  host = await startHost()
  receiver = await startReceiver()
})
afterAll(async () => {
  receiver.close()
  await host.close()
})

/** The store's contents, by key. */
async function contents(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const { key, value } of host.store.list('')) found.set(key, Buffer.from(value).toString())
  return found
}

const kindsOf = (keys: Iterable<string>) => [...new Set([...keys].map((key) => key.split('/')[0]))].sort()

async function newKinds(before: ReadonlyMap<string, string>): Promise<unknown[]> {
  return kindsOf([...(await contents()).keys()].filter((key) => !before.has(key)))
}

describe('7 days after its creation', () => {
  const verifiers = { liveness: { type: 'Verification' as const }, age: { type: 'CalculationOnly' as const } }

  test('the result of a session is gone, to the minute', async () => {
    const opened = await openSession(host, await newVerification(host))
    host.pass(14 * 60_000)
    await submit(host, opened, anna)
    host.pass(sevenDays - 15 * 60_000)
    expect((await resultOf(host, opened)).verificationResult).toBe('Pass')
    host.pass(60_000)
    expect(await problemOf(resultOf(host, opened))).toBe('not_found')
  })

  /** The audit log stays. It identifies the session by a hash that only the log itself can resolve. */
  test.each([
    [
      'completed',
      async (verificationId: string) => {
        const opened = await openSession(host, verificationId, 'a=1')
        host.pass(14 * 60_000)
        await step(host, opened, 0, anna)
        await submit(host, opened, anna)
        return opened
      },
    ],
    [
      'expired',
      async (verificationId: string) => {
        const opened = await openSession(host, verificationId, 'a=1')
        await step(host, opened, 0, anna)
        host.pass(15 * 60_000)
        await host.services.expireOverdue()
        return opened
      },
    ],
  ])('nothing is left of a session that was %s late', async (_name, run) => {
    const webhookConfig = { eventCallbackUrl: receiver.address }
    const verificationId = await newVerification(host, { verifierConfigs: verifiers, webhookConfig })
    const before = await contents()
    const created = host.now()
    const { verificationSessionId } = await run(verificationId)
    await host.services.deliveries.settle()
    expect(await newKinds(before)).toContain('session')
    host.pass(created + sevenDays + 1000 - host.now())
    const left = await contents()
    // Only the last number of the log of changes remains.
    expect(
      [...left.keys()].filter((key) => key.startsWith('session-change/')).map((key) => key.at(-1)),
    ).toEqual(['#'])
    const nameless: unknown[] = ['session-change', 'session-count']
    expect((await newKinds(before)).filter((kind) => !nameless.includes(kind))).toEqual(['audit-outbox'])
    expect([...left.values()].filter((value) => value.includes(verificationSessionId))).toEqual([])
  })
})

describe('a record that cannot be opened', () => {
  test('does not prevent other sessions from ending, and is reported', async () => {
    const own = await startHost()
    const verificationId = await newVerification(own)
    const broken = await openSession(own, verificationId)
    const whole = await openSession(own, verificationId)
    await replaceSession(own, broken, 'not sealed by us')
    own.pass(15 * 60_000)
    await expect(own.services.expireOverdue()).rejects.toThrow()
    const { verificationFailedReasons } = await resultOf(own, whole)
    expect(verificationFailedReasons).toEqual(['sessionExpired'])
    await own.close()
  })

  test('is not a session if it is not sealed at all', async () => {
    const opened = await openSession(host, await newVerification(host))
    await replaceSession(host, opened, { outcome: { result: { verificationResult: 'Pass' } } })
    expect(await problemOf(resultOf(host, opened))).toBe('not_found')
    expect(host.errors).toEqual([])
  })
})

async function replaceSession({ store, accountId }: Host, opened: Opened, record: unknown): Promise<void> {
  await createTable<unknown>(store, 'session').put(accountId, opened.verificationSessionId, record)
}
