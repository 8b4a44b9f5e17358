import { afterEach, describe, expect, test } from 'vitest'
import { verifyEvent } from '#shared/client/webhook.ts'
import { accountEvents } from '#shared/contract/account/event.ts'
import { getDeliveries } from '#shared/contract/account/webhook.ts'
import {
  createWebhookEndpoint,
  getWebhookEndpoints,
  sendTestEvent,
  updateWebhookEndpoint,
} from '#shared/contract/account/webhook-endpoint.ts'
import { startHost } from '../../../support/host.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { problemOf } from '../../../support/visit.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A host with an endpoint for a single event, and the endpoint's receiver. */
async function listening(...answers: Parameters<typeof startReceiver>) {
  const host = await startHost()
  const receiver = await startReceiver(...answers)
  closers.push(host.close, receiver.close)
  const body = { url: receiver.address, events: ['KioskRevoked' as const] }
  const made = await host.call(createWebhookEndpoint, { body })
  const send = async (asked: object = {}) => {
    const sent = await host.call(sendTestEvent, { body: { endpointId: made.endpointId, ...asked } })
    await host.services.deliveries.settle()
    return sent
  }
  const deliveries = async () => (await host.call(getDeliveries, { query: {} })).deliveries
  return { host, receiver, send, deliveries, ...made }
}

describe('POST /v1/webhook/send-test-event', () => {
  test('posts an event that is marked as a test, signed like every other', async () => {
    const { receiver, send, secret } = await listening()
    const { deliveryId } = await send()
    const { headers, body } = receiver.received[0]!
    expect(await verifyEvent({ headers, body, secret })).toMatchObject({
      event: 'VerificationCompleted',
      verificationSessionId: '0'.repeat(32),
      test: true,
    })
    expect(headers['webhook-id']).toBe(deliveryId)
    expect(headers['x-api-key']).toBeUndefined()
  })

  test.each(accountEvents)('posts %s, also where the endpoint does not ask for it', async (event) => {
    const { receiver, send } = await listening()
    await send({ event })
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([{ event, test: true }])
  })

  test('is in the list with the request and the answer, and names no session', async () => {
    const { receiver, send, deliveries, endpointId } = await listening()
    const { deliveryId } = await send()
    expect(await deliveries()).toMatchObject([
      {
        deliveryId,
        endpointId,
        test: true,
        body: receiver.received[0]!.body,
        verificationSessionId: null,
        state: 'delivered',
        attempts: [{ status: 200, error: null }],
      },
    ])
  })

  test('is tried once, and does not count against the endpoint', async () => {
    const { host, receiver, send, deliveries } = await listening([500])
    await send()
    await host.services.deliveries.resume()
    await host.services.deliveries.settle()
    expect(receiver.received).toHaveLength(1)
    expect(await deliveries()).toMatchObject([{ state: 'failed', attempts: [{ status: 500 }] }])
    const { endpoints } = await host.call(getWebhookEndpoints, {})
    expect(endpoints[0]).toMatchObject({ failingSince: null, switchedOff: null, enabled: true })
  })

  test('goes to no endpoint that is disabled, unknown or of another account', async () => {
    const { host, receiver, send, endpointId } = await listening()
    const { apiKey } = await host.services.accounts.create('Stranger')
    expect(await problemOf(host.call(sendTestEvent, { body: { endpointId }, apiKey }))).toBe('not_found')
    expect(await problemOf(send({ endpointId: 'none' }))).toBe('not_found')
    await host.call(updateWebhookEndpoint, { body: { endpointId, enabled: false } })
    expect(await problemOf(send())).toBe('conflict')
    expect(receiver.received).toEqual([])
  })
})
