import { afterEach, describe, expect, test } from 'vitest'
import { classOf } from '#server/features/webhooks/failure.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { getDeliveries, resendDelivery } from '#shared/contract/account/webhook.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { type ReceiverAnswer, startReceiver } from '../../../support/programs/receiver.ts'
import { newVerification, openSession, problemOf, submit } from '../../../support/visit.ts'

const day = 24 * 3600_000

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function started(options: Parameters<typeof startHost>[0] = {}) {
  const host = await startHost(options)
  closers.push(host.close)
  return host
}

/** Completes a session that sends its event to this address. */
async function complete(host: Host, eventCallbackUrl: string): Promise<string> {
  const opened = await openSession(host, await newVerification(host, { webhookConfig: { eventCallbackUrl } }))
  await submit(host, opened, { person: 'anna' })
  await host.services.deliveries.settle()
  return opened.verificationSessionId
}

const list = async (host: Host, query = {}) => (await host.call(getDeliveries, { query })).deliveries

async function deliveryTo(answers: readonly ReceiverAnswer[]) {
  const host = await started()
  const receiver = await startReceiver(answers)
  closers.push(receiver.close)
  const verificationSessionId = await complete(host, receiver.address)
  const [delivery] = await list(host)
  return { host, receiver, verificationSessionId, delivery: delivery! }
}

describe('the delivery log', () => {
  test.each([
    ['204', [204], 'delivered', [{ status: 204, error: null }]],
    [
      '500 then 200',
      [500, 200],
      'delivered',
      [
        { status: 500, error: null },
        { status: 200, error: null },
      ],
    ],
    [
      'a redirect, which is not followed, twice',
      [302, 307],
      'failed',
      [
        { status: 302, error: null },
        { status: 307, error: null },
      ],
    ],
    [
      'no answer, then one whose body does not end',
      ['hang', 'hanging body'],
      'failed',
      [
        { status: null, error: 'timeout' },
        { status: null, error: 'timeout' },
      ],
    ],
  ] as const)('records each attempt: %s', async (_name, answers, state, attempts) => {
    const { delivery, verificationSessionId, receiver } = await deliveryTo(answers)
    expect(delivery).toMatchObject({
      state,
      verificationSessionId,
      address: receiver.address,
      resendOf: null,
    })
    expect(delivery.attempts).toMatchObject(attempts)
    expect(receiver.received[0]!.headers['webhook-id']).toBe(delivery.webhookId)
  })

  test('records an unreachable receiver, and a forbidden one', async () => {
    const host = await started()
    await complete(host, 'http://127.0.0.1:9/hook')
    const refused = { status: null, error: 'connectionRefused' }
    expect((await list(host))[0]!.attempts).toMatchObject([refused, refused])
    const closed = await started({ ports: { outbound: notAllowed } })
    await complete(closed, 'http://127.0.0.1:9/hook')
    const error = 'addressNotAllowed'
    expect((await list(closed))[0]!.attempts).toMatchObject([{ error }, { error }])
  })

  test('records why there was no answer', () => {
    expect(classOf(Object.assign(new Error(), { code: 'ENOTFOUND' }))).toBe('nameNotFound')
    expect(classOf(Object.assign(new Error(), { code: 'CERT_HAS_EXPIRED' }))).toBe('certificate')
    expect(classOf(Object.assign(new Error(), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }))).toBe('certificate')
    expect(classOf(Object.assign(new Error(), { code: 'ECONNRESET' }))).toBe('connectionFailed')
    expect(classOf(undefined)).toBe('connectionFailed')
  })

  test('is read page by page, newest first, over days, and by session', async () => {
    const host = await started()
    const receiver = await startReceiver()
    closers.push(receiver.close)
    const sessions: string[] = []
    for (let i = 0; i < 5; i++) {
      sessions.unshift(await complete(host, receiver.address))
      host.pass(i === 2 ? 2 * day : 1000)
    }
    const found: string[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor?: string } = { limit: 2, ...(cursor && { cursor }) }
      const page: Awaited<ReturnType<typeof list>> = await list(host, query)
      found.push(...page.map((delivery) => delivery.verificationSessionId!))
      cursor = (await host.call(getDeliveries, { query })).nextCursor
    } while (cursor !== null)
    expect(found).toEqual(sessions)
    const [only, ...more] = await list(host, { verificationSessionId: sessions[1] })
    expect([only!.verificationSessionId, more]).toEqual([sessions[1], []])
  })

  test('keeps nothing longer than the session', async () => {
    const { host, delivery } = await deliveryTo([200])
    host.pass(7 * day - 60_000)
    expect((await list(host))[0]!.deliveryId).toBe(delivery.deliveryId)
    host.pass(120_000)
    expect(await list(host)).toEqual([])
  })

  test('belongs to its account', async () => {
    const { host, delivery } = await deliveryTo([200])
    const { apiKey } = await host.services.accounts.create('Other')
    expect((await host.call(getDeliveries, { query: {}, apiKey })).deliveries).toEqual([])
    const body = { deliveryId: delivery.deliveryId }
    expect(await problemOf(host.call(resendDelivery, { body, apiKey }))).toBe('not_found')
  })
})

describe('POST /v1/webhook/resend', () => {
  test('is a new delivery with the same webhook-id and body', async () => {
    const { host, receiver, delivery } = await deliveryTo([500, 500, 500, 200])
    expect(delivery.state).toBe('failed')
    const { deliveryId } = await host.call(resendDelivery, { body: { deliveryId: delivery.deliveryId } })
    await host.services.deliveries.settle()
    const [again, first] = await list(host)
    expect(first).toEqual(delivery)
    expect(again).toMatchObject({
      deliveryId,
      webhookId: delivery.webhookId,
      resendOf: delivery.deliveryId,
      state: 'delivered',
      attempts: [{ status: 500 }, { status: 200 }],
    })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })
})

describe('two processes', () => {
  test('do not both send what one of them is about to send', async () => {
    const store = createMemoryStore()
    let sent = 0
    const post: Outbound['post'] = async () => {
      sent++
      await new Promise((next) => setTimeout(next, 50))
      return 200
    }
    const outbound = { post } as Outbound
    const [one, two] = [
      await started({ store, ports: { outbound } }),
      await started({ store, ports: { outbound } }),
    ]
    const sending = complete(one, 'http://127.0.0.1:9/hook')
    await new Promise((next) => setTimeout(next, 25))
    await two.services.deliveries.resume()
    await sending
    expect(sent).toBe(1)
    expect((await list(one))[0]).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] })
  })
})

const notAllowed = {
  post: async () => {
    throw Object.assign(new Error('no'), { code: 'ERR_ADDRESS_NOT_ALLOWED' })
  },
} as unknown as Outbound
