import { afterEach, describe, expect, test } from 'vitest'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { verifyEvent } from '#shared/client/webhook.ts'
import { accountEvents } from '#shared/contract/account/event.ts'
import { getDeliveries, resendDelivery, resendFailed } from '#shared/contract/account/webhook.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoints,
  updateWebhookEndpoint,
} from '#shared/contract/account/webhook-endpoint.ts'
import { createKiosk, revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { cancelSession, reviewSession } from '#shared/contract/sessions/session-list.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { frameOf } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { describeOnSharedStores } from '../../../support/stores.ts'
import { newVerification, openSession, problemOf, submit } from '../../../support/visit.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function started(options: Parameters<typeof startHost>[0] = {}) {
  const host = await startHost(options)
  closers.push(host.close)
  return host
}

async function receiving(...answers: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...answers)
  closers.push(receiver.close)
  return receiver
}

const make = (host: Host, url: string, events: readonly (typeof accountEvents)[number][] = accountEvents) =>
  host.call(createWebhookEndpoint, { body: { url, events: [...events] } })

async function visited(host: Host, config = {}) {
  const opened = await openSession(host, await newVerification(host, config))
  await submit(host, opened, { person: 'anna' })
  await host.services.deliveries.settle()
  return opened.verificationSessionId
}

const bodies = ({ received }: Awaited<ReturnType<typeof startReceiver>>) =>
  received.map(({ body }) => JSON.parse(body))
const list = async (host: Host, query = {}) => (await host.call(getDeliveries, { query })).deliveries

/** Sends nothing, and answers as specified. */
function posting(answer: (address: string) => number) {
  const sent: { id: string; body: string; address: string }[] = []
  const post: Outbound['post'] = async ({ address, headers, body }) => {
    sent.push({ id: headers['webhook-id']!, body, address })
    return answer(address)
  }
  const get: Outbound['get'] = async () => {
    throw new Error('Nothing is fetched here')
  }
  return { sent, outbound: { post, get } }
}

describe('an endpoint of the account', () => {
  test('receives each review, and each cancelled session', async () => {
    const host = await started()
    const receiver = await receiving()
    await make(host, receiver.address, ['VerificationReviewed', 'VerificationExpired'])
    const verificationSessionId = await visited(host)
    const review = async (decision: 'Pass' | 'Fail', ifReviewedAt: string | null) => {
      await host.call(reviewSession, { body: { verificationSessionId, decision, ifReviewedAt } })
      const result = await host.call(getSessionResult, { query: { verificationSessionId } })
      return result.review!.reviewedAt
    }
    await review('Pass', await review('Fail', null))
    const unseen = { verificationSessionId, decision: 'Fail' as const }
    expect(await problemOf(host.call(reviewSession, { body: unseen }))).toBe('already_reviewed')
    const open = await openSession(host, await newVerification(host))
    await host.call(cancelSession, { body: { verificationSessionId: open.verificationSessionId } })
    await host.services.deliveries.settle()
    const told = bodies(receiver).map((body) => [body.event, body.verificationSessionId])
    expect(told.sort()).toEqual([
      ['VerificationExpired', open.verificationSessionId],
      ['VerificationReviewed', verificationSessionId],
      ['VerificationReviewed', verificationSessionId],
    ])
  })

  test('receives the start and the end of a session, signed with its own secret and without a key', async () => {
    const host = await started()
    const receiver = await receiving()
    const { secret } = await make(host, receiver.address)
    const verificationSessionId = await visited(host)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(
      bodies(receiver)
        .map(({ event }) => event)
        .sort(),
    ).toEqual(['VerificationCompleted', 'VerificationStarted'])
    for (const { headers, body } of receiver.received) {
      expect(headers).not.toHaveProperty('x-api-key')
      expect(headers).not.toHaveProperty('x-selfsame-environment')
      const occurredAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
      const event = expect.stringMatching(/^Verification/)
      expect(JSON.parse(body)).toEqual({ event, verificationSessionId, occurredAt })
      expect(await verifyEvent({ headers, body, secret })).toEqual(JSON.parse(body))
      const other = `whsec_${Buffer.alloc(32).toString('base64')}`
      await expect(verifyEvent({ headers, body, secret: other })).rejects.toThrow()
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })

  test('receives the start of a session once, however many steps there are', async () => {
    const host = await started()
    const receiver = await receiving()
    await make(host, receiver.address, ['VerificationStarted'])
    const liveness = { type: 'Verification', challengeType: 'Advanced' } as const
    const opened = await openSession(host, await newVerification(host, { verifierConfigs: { liveness } }))
    await submit(host, opened, { person: 'anna' })
    await submit(host, opened, { person: 'anna' })
    await host.services.deliveries.settle()
    expect(receiver.received).toHaveLength(1)
  })

  test('receives its selected events, in addition to the webhook of a verification', async () => {
    const host = await started()
    const [hook, started_, nothing] = [await receiving(), await receiving(), await receiving()]
    await make(host, started_.address, ['VerificationStarted', 'VerificationStarted'])
    await make(host, nothing.address, ['VerificationReviewed'])
    await visited(host, { webhookConfig: { eventCallbackUrl: hook.address } })
    expect(bodies(started_)).toMatchObject([{ event: 'VerificationStarted' }])
    expect(nothing.received).toHaveLength(0)
    expect(bodies(hook)).toEqual([
      { event: 'VerificationCompleted', verificationSessionId: expect.any(String) },
    ])
    expect(hook.received[0]!.headers).toHaveProperty('x-api-key')
  })

  test('receives an expiry twice, and not as a start', async () => {
    const host = await started()
    const receiver = await receiving()
    await make(host, receiver.address)
    await openSession(host, await newVerification(host))
    host.pass(15 * minute)
    await host.services.expireOverdue()
    await host.services.deliveries.settle()
    expect(
      bodies(receiver)
        .map(({ event }) => event)
        .sort(),
    ).toEqual(['VerificationCompleted', 'VerificationExpired'])
  })

  test('receives the revocation of a kiosk once', async () => {
    const host = await started()
    const receiver = await receiving()
    await make(host, receiver.address)
    const verificationId = await newVerification(host)
    const { kioskId } = await host.call(createKiosk, { body: { name: 'Door', verificationId } })
    for (const _time of [1, 2]) await host.call(revokeKiosk, { query: { kioskId } })
    await host.services.deliveries.settle()
    expect(bodies(receiver)).toEqual([{ event: 'KioskRevoked', kioskId, occurredAt: expect.any(String) }])
  })

  test('receives the filling of a collection once', async () => {
    const host = await started({ ports: { collectionLimit: 1 } })
    const receiver = await receiving()
    await make(host, receiver.address)
    for (const person of ['anna', 'bert', 'carl'])
      await host.call(verifyDuplicate, {
        query: { collectionName: 'people', includeDemographicalInfo: false },
        body: { imageData: frameOf({ person }).bytes },
      })
    await host.services.deliveries.settle()
    expect(bodies(receiver)).toEqual([
      { event: 'CollectionFull', collectionId: 'people', occurredAt: expect.any(String) },
    ])
  })

  test('shows its secret only once', async () => {
    const host = await started()
    const { endpointId, secret } = await make(host, 'https://shop.example/events')
    const { endpoints } = await host.call(getWebhookEndpoints, {})
    expect(endpoints).toMatchObject([{ endpointId, enabled: true, failingSince: null, switchedOff: null }])
    expect(JSON.stringify(endpoints)).not.toMatch(/secret/i)
    expect(JSON.stringify(endpoints)).not.toContain(secret.slice(6))
  })

  test('changes the named members and leaves the rest, and is gone when deleted', async () => {
    const host = await started()
    const { endpointId } = await make(host, 'https://shop.example/events', ['KioskRevoked'])
    const update = (body: object) => host.call(updateWebhookEndpoint, { body: { endpointId, ...body } })
    expect(await update({ description: 'Stock' })).toMatchObject({
      endpoint: { url: 'https://shop.example/events', events: ['KioskRevoked'], description: 'Stock' },
    })
    expect((await update({ description: null, enabled: false })).endpoint).toMatchObject({
      description: null,
      enabled: false,
    })
    await host.call(deleteWebhookEndpoint, { query: { endpointId } })
    expect((await host.call(getWebhookEndpoints, {})).endpoints).toEqual([])
    expect(await problemOf(update({}))).toBe('not_found')
  })

  test('that is the eleventh is refused, even if several are created at once', async () => {
    const host = await started()
    const made = await Promise.allSettled(
      Array.from({ length: 14 }, (_, i) => make(host, `https://shop.example/${i}`)),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await problemOf(make(host, 'https://shop.example/eleventh'))).toBe('limit_reached')
  })

  test('of another account receives nothing', async () => {
    const host = await started()
    const receiver = await receiving()
    const { apiKey } = await host.services.accounts.create('Another')
    const body = { url: receiver.address, events: [...accountEvents] }
    const { endpointId } = await host.call(createWebhookEndpoint, { body, apiKey })
    await visited(host)
    expect(receiver.received).toHaveLength(0)
    expect(await problemOf(host.call(deleteWebhookEndpoint, { query: { endpointId } }))).toBe('not_found')
  })
})

describe('a refused event', () => {
  const waits = [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]

  test('is tried again by the schedule, with one id, and then abandoned', async () => {
    const { sent, outbound } = posting(() => 503)
    const host = await started({ ports: { outbound } })
    await make(host, 'https://shop.example/events', ['VerificationCompleted'])
    await visited(host)
    expect(sent).toHaveLength(1)
    for (const [at, wait] of waits.entries()) {
      host.pass(wait - 1000)
      await host.services.deliveries.resume()
      await host.services.deliveries.settle()
      expect(sent).toHaveLength(at + 1)
      host.pass(11_000)
      await host.services.deliveries.resume()
      await host.services.deliveries.settle()
      expect(sent).toHaveLength(at + 2)
    }
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    const [delivery] = await list(host, { state: 'failed' })
    expect(delivery!.attempts).toHaveLength(7)
    expect(await list(host, { state: 'pending' })).toEqual([])
    host.pass(day)
    await host.services.deliveries.resume()
    await host.services.deliveries.settle()
    expect(sent).toHaveLength(7)
  })

  test('is tried again after 5 seconds without a sweep', async () => {
    const host = await started()
    const receiver = await receiving([500, 200])
    await make(host, receiver.address, ['VerificationCompleted'])
    await visited(host)
    expect(receiver.received).toHaveLength(1)
    await expect.poll(() => receiver.received.length, { timeout: 8000, interval: 100 }).toBe(2)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('disables it after 5 days, not before; and it can be enabled again', async () => {
    let status = 500
    const { sent, outbound } = posting(() => status)
    const host = await started({ ports: { outbound } })
    const { endpointId } = await make(host, 'https://shop.example/events', ['VerificationCompleted'])
    const isEnabled = async () => (await host.call(getWebhookEndpoints, {})).endpoints[0]!.enabled
    await visited(host)
    host.pass(5 * day - minute)
    await visited(host)
    expect(await isEnabled()).toBe(true)
    host.pass(minute)
    await visited(host)
    expect(await isEnabled()).toBe(false)
    const before = sent.length
    await visited(host)
    expect(sent).toHaveLength(before)
    status = 200
    await host.call(updateWebhookEndpoint, { body: { endpointId, enabled: true } })
    await visited(host)
    expect(sent).toHaveLength(before + 1)
    expect((await host.call(getWebhookEndpoints, {})).endpoints[0]).toMatchObject({
      enabled: true,
      failingSince: null,
    })
  })

  test('restarts the count of days after a success', async () => {
    let status = 500
    const { outbound } = posting(() => status)
    const host = await started({ ports: { outbound } })
    await make(host, 'https://shop.example/events', ['VerificationCompleted'])
    await visited(host)
    host.pass(3 * day)
    status = 200
    await visited(host)
    status = 500
    host.pass(3 * day)
    await visited(host)
    expect((await host.call(getWebhookEndpoints, {})).endpoints[0]!.enabled).toBe(true)
  })

  test('goes to a changed address, and is abandoned if the endpoint is gone', async () => {
    const { sent, outbound } = posting(() => 500)
    const host = await started({ ports: { outbound } })
    const { endpointId } = await make(host, 'https://shop.example/old', ['VerificationCompleted'])
    await visited(host)
    const url = 'https://shop.example/new'
    await host.call(updateWebhookEndpoint, { body: { endpointId, url } })
    host.pass(20_000)
    await host.services.deliveries.resume()
    await host.services.deliveries.settle()
    expect(sent.map(({ address }) => address)).toEqual(['https://shop.example/old', url])
    await host.call(deleteWebhookEndpoint, { query: { endpointId } })
    host.pass(hour)
    await host.services.deliveries.resume()
    await host.services.deliveries.settle()
    expect(sent).toHaveLength(2)
    const [delivery] = await list(host, { endpointId })
    expect(delivery).toMatchObject({ state: 'failed', endpointId })
    const { deliveryId } = delivery!
    expect(await problemOf(host.call(resendDelivery, { body: { deliveryId } }))).toBe('conflict')
    const since = new Date(0).toISOString()
    expect(await host.call(resendFailed, { body: { since } })).toEqual({ count: 0 })
  })
})

describe('resend-failed', () => {
  test('can be sent again after it was abandoned, for the given time and endpoint', async () => {
    let status = 500
    const { sent, outbound } = posting(() => status)
    const host = await started({ ports: { outbound } })
    const { endpointId } = await make(host, 'https://shop.example/events', ['VerificationCompleted'])
    const eventCallbackUrl = 'https://shop.example/hook'
    await visited(host, { webhookConfig: { eventCallbackUrl } })
    const since = new Date(host.now() - minute).toISOString()
    const resend = (more = {}) => host.call(resendFailed, { body: { since, ...more } })
    expect(await resend({ endpointId })).toEqual({ count: 0 })
    for (let at = 0; at < 6; at++) {
      host.pass(11 * hour)
      await host.services.deliveries.resume()
      await host.services.deliveries.settle()
    }
    const ids = new Set(sent.map(({ id }) => id))
    expect(ids.size).toBe(2)
    status = 200
    expect(await resend({ since: new Date(host.now()).toISOString() })).toEqual({ count: 0 })
    expect(await resend({ endpointId: 'none' })).toEqual({ count: 0 })
    expect(await resend({ endpointId })).toEqual({ count: 1 })
    await host.services.deliveries.settle()
    expect(await resend()).toEqual({ count: 1 })
    await host.services.deliveries.settle()
    expect(await resend()).toEqual({ count: 0 })
    expect(new Set(sent.map(({ id }) => id))).toEqual(ids)
    expect((await list(host, { state: 'delivered' })).map((one) => one.endpointId)).toEqual([
      null,
      endpointId,
    ])
  })
})

describeOnSharedStores('an account’s events', (shared) => {
  /** A host with a different clock from the others. `answer` answers its requests. */
  async function hostOn(ahead: () => number, outbound: Outbound) {
    const clock: Clock = () => Date.now() + ahead()
    const store: Store = await shared.open(clock)
    return started({ store, ports: { outbound, now: clock } })
  }

  test('survive a crash, an outage of a minute and a day without a receiver, each under its id', async () => {
    let ahead = 0
    let status = 500
    const arrived = new Map<string, string>()
    const ids = new Set<string>()
    const tell: Outbound['post'] = async ({ headers, body }) => {
      ids.add(headers['webhook-id']!)
      if (status === 200) arrived.set(headers['webhook-id']!, body)
      return status
    }
    const get: Outbound['get'] = async () => {
      throw new Error('Nothing is fetched here')
    }
    const dying = await hostOn(() => ahead, { post: () => new Promise(() => {}), get })
    const { apiKey } = dying
    await make(dying, 'https://shop.example/events', ['VerificationCompleted', 'VerificationStarted'])
    const told = new Set<string>()
    const visit = async (host: Host) => {
      const theirs: Host = { ...host, call: (endpoint, args) => host.call(endpoint, { apiKey, ...args }) }
      const opened = await openSession(theirs, await newVerification(theirs))
      await submit(theirs, opened, { person: 'anna' })
      for (const event of ['VerificationStarted', 'VerificationCompleted'])
        told.add(`${event} ${opened.verificationSessionId}`)
    }
    const seen = () =>
      [...arrived.values()]
        .map((body) => JSON.parse(body))
        .map((one) => `${one.event} ${one.verificationSessionId}`)
    await visit(dying)
    const next = await hostOn(() => ahead, { post: tell, get })
    const sweep = async () => {
      await next.services.deliveries.resume()
      await next.services.deliveries.settle()
    }
    await visit(next)
    await next.services.deliveries.settle()
    ahead += minute
    status = 200
    await sweep()
    expect(new Set(seen())).toEqual(told)
    status = 500
    await visit(next)
    await next.services.deliveries.settle()
    for (let hours = 0; hours < 24; hours++) {
      ahead += hour
      await sweep()
    }
    status = 200
    const { count } = await next.call(resendFailed, {
      body: { since: new Date(0).toISOString() },
      apiKey,
    })
    expect(count).toBe(2)
    await next.services.deliveries.settle()
    expect(seen().sort()).toEqual([...told].sort())
    expect([...arrived.keys()].sort()).toEqual([...ids].sort())
  }, 30_000)
})

test('an event without a commit is sent at once', async () => {
  const host = await started({ store: createMemoryStore() })
  const receiver = await receiving()
  await make(host, receiver.address)
  const event = {
    event: 'VerificationReviewed',
    verificationSessionId: 'a',
    sessionCreated: host.now(),
  } as const
  await host.services.events.fire(host.accountId, event)
  await host.services.deliveries.settle()
  expect(bodies(receiver)).toMatchObject([{ event: 'VerificationReviewed', verificationSessionId: 'a' }])
})
