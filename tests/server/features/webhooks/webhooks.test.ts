import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { createDeliveryStore } from '#server/features/webhooks/delivery-store.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { newVerification, openSession, resultOf, submit } from '../../../support/visit.ts'

const get: Outbound['get'] = async () => {
  throw new Error('Nothing is fetched here')
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function complete(answers: (number | 'hang')[], options: Parameters<typeof startHost>[0] = {}) {
  const receiver = await startReceiver(answers)
  const host = await startHost(options)
  closers.push(receiver.close, host.close)
  const opened = await openWithHook(host, receiver.address)
  const submitted = await submit(host, opened, { person: 'anna' })
  return { receiver, host, opened, submitted }
}

async function openWithHook(host: Host, eventCallbackUrl: string) {
  return openSession(host, await newVerification(host, { webhookConfig: { eventCallbackUrl } }))
}

describe('the VerificationCompleted event', () => {
  test('is posted once, with the key and a signature', async () => {
    const { receiver, host, opened } = await complete([])
    await host.services.deliveries.settle()
    expect(receiver.received).toHaveLength(1)
    const { headers, body } = receiver.received[0]!
    expect(JSON.parse(body)).toEqual({
      event: 'VerificationCompleted',
      verificationSessionId: opened.verificationSessionId,
    })
    expect(headers['content-type']).toBe('application/json')
    expect(headers['x-api-key']).toBe(host.apiKey)
    const account = (await host.services.accounts.find(host.accountId))!
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const expected = createHmac('sha256', host.services.accounts.webhookSecrets(account)[0]!)
      .update(signed)
      .digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${expected}`)
  })

  test.each([
    ['500 then 200', [500, 200], 2],
    ['500 twice', [500, 500], 2],
    ['a redirect', [302, 204], 2],
    ['204', [204], 1],
  ])('is sent again once when the answer is not 2xx: %s', async (_name, answers, attempts) => {
    const { receiver, host, opened, submitted } = await complete(answers)
    await host.services.deliveries.settle()
    expect(receiver.received).toHaveLength(attempts)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(submitted.verificationResult).toBe('Pass')
    expect((await resultOf(host, opened)).verificationResult).toBe('Pass')
  })

  test.each([
    [[500, 500], 1],
    [[500, 200], 0],
    [[], 0],
  ])('is counted as lost once it is abandoned: answers %j', async (answers, lost) => {
    const { host } = await complete(answers)
    await host.services.deliveries.settle()
    const headers = { authorization: `ApiKey ${host.apiKey}` }
    const figures = await (await host.fetch('/metrics', { headers })).text()
    expect(figures).toContain(`selfsame_webhooks_lost_total ${lost}\n`)
  })

  test('counts no answer within 5 seconds as a failure', async () => {
    const { receiver, host } = await complete(['hang', 200])
    await host.services.deliveries.settle()
    expect(receiver.received).toHaveLength(2)
  })

  test('is sent when the session expires', async () => {
    const receiver = await startReceiver()
    const host = await startHost()
    closers.push(receiver.close, host.close)
    await openWithHook(host, receiver.address)
    host.pass(15 * 60_000)
    await Promise.all([host.services.expireOverdue(), host.services.expireOverdue()])
    await host.services.deliveries.settle()
    expect(receiver.received).toHaveLength(1)
  })

  test.each(['https://hook.example/taken', 'HTTPS://hook.example/taken'])(
    'carries the key however the scheme is written: %s',
    async (address) => {
      const posted: Record<string, string>[] = []
      const post: Outbound['post'] = async ({ headers }) => {
        posted.push({ ...headers })
        return 200
      }
      const host = await startHost({ ports: { outbound: { post, get } } })
      closers.push(host.close)
      await submit(host, await openWithHook(host, address), { person: 'anna' })
      await host.services.deliveries.settle()
      expect(posted.map((headers) => headers['X-API-Key'])).toEqual([host.apiKey])
    },
  )

  test('goes to no loopback receiver if that is not allowed', async () => {
    const post: Outbound['post'] = async () => {
      throw new Error('This address is not allowed')
    }
    const { receiver, host, submitted } = await complete([], { ports: { outbound: { post, get } } })
    await host.services.deliveries.settle()
    expect(submitted.verificationResult).toBe('Pass')
    expect(receiver.received).toHaveLength(0)
  })
})

describe('a crash', () => {
  /** Posts as specified, unless the behaviour makes it die instead. */
  function dyingOutbound(behaviour: ('die' | 'sent, then die')[]): {
    outbound: Outbound
    sent: () => number
  } {
    let sent = 0
    const post: Outbound['post'] = () => {
      const now = behaviour.shift()
      if (now !== 'die') sent++
      return now === undefined ? Promise.resolve(200) : new Promise(() => {})
    }
    return { outbound: { post, get }, sent: () => sent }
  }

  test.each([
    ['between record and send', ['die'], 1, 1],
    ['between send and answer', ['sent, then die'], 1, 2],
    ['twice between send and answer', ['sent, then die', 'sent, then die'], 2, 2],
    ['three times', ['sent, then die', 'sent, then die', 'sent, then die'], 3, 2],
  ] as const)(
    '%s: nothing is lost, and never more than two are sent',
    async (_name, behaviour, crashes, expected) => {
      const { outbound, sent } = dyingOutbound([...behaviour])
      const store = createMemoryStore()
      const first = await startHost({ store, ports: { outbound } })
      closers.push(first.close)
      await submit(first, await openWithHook(first, 'http://127.0.0.1:9/hook'), { person: 'anna' })
      await tick()
      for (let crash = 0; crash < crashes; crash++) {
        const next = await startHost({ store, ports: { outbound } })
        closers.push(next.close)
        next.pass(10_000 * (crash + 1))
        await next.services.deliveries.resume()
        await tick()
      }
      expect(sent()).toBe(expected)
    },
  )
})

describe('several processes', () => {
  /** A store that is slow to answer. */
  const far = (store: Store, milliseconds: number): Store => ({
    ...store,
    get: async (key) => {
      const found = await store.get(key)
      await new Promise((over) => setTimeout(over, milliseconds))
      return found
    },
  })

  test.each([
    ['that nobody sent yet', 0],
    ['that was sent once by one that died', 1],
  ])('that take up a delivery %s at once send it once', async (_name, before) => {
    const store = createMemoryStore()
    let sent = 0
    const post: Outbound['post'] = async () => {
      sent++
      await new Promise((over) => setTimeout(over, 400))
      return 200
    }
    const first = await startHost({ store, ports: { outbound: { post: () => new Promise(() => {}), get } } })
    const { accountId } = first
    const { deliveries } = first.services
    const of = { accountId, verificationSessionId: 'a session', sessionCreated: Date.now() }
    const event = { ...of, event: 'VerificationCompleted', occurredAt: new Date().toISOString() } as const
    const { delivery, writes } = deliveries.prepare({ ...event, address: 'http://127.0.0.1:9/hook' })
    await store.commit(writes, [])
    if (before === 1) deliveries.send(delivery)
    await tick()
    const others = await Promise.all(
      [0, 60, 120].map((distance) =>
        startHost({ store: far(store, distance), ports: { outbound: { post, get } } }),
      ),
    )
    closers.push(first.close, ...others.map(({ close }) => close))
    for (const other of others) other.pass(10_000)
    await Promise.all(others.map(({ services }) => services.deliveries.resume()))
    await Promise.all(others.map(({ services }) => services.deliveries.settle()))
    expect(sent).toBe(1)
    const kept = await createDeliveryStore(store, Date.now).read(delivery)
    expect(kept?.value).toMatchObject({ state: 'delivered', attempts: { length: before + 1 } })
    expect(kept?.value.attempts.at(-1)).toMatchObject({ status: 200, error: null })
  })
})

function tick(): Promise<void> {
  return new Promise((done) => setTimeout(done, 20))
}
