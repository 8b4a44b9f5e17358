import { afterEach, describe, expect, test } from 'vitest'
import type { StoreFill } from '#server/features/attention/attention.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import {
  confirmAttention,
  getAttention,
  updateAttentionLimits,
  usualAttentionLimits,
} from '#shared/contract/account/attention.ts'
import { createWebhookEndpoint, getWebhookEndpoints } from '#shared/contract/account/webhook-endpoint.ts'
import { updateVerification } from '#shared/contract/configuration/verification.ts'
import { revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { reviewSession } from '#shared/contract/sessions/session-list.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { pairDevice } from '../../../support/kiosk-device.ts'
import { newVerification, openSession, submit } from '../../../support/visit.ts'

const minute = 60_000
const hour = 60 * minute

let host: Host
afterEach(() => host.close())

/** A host whose receivers answer as given, and what they were sent. */
async function start(answer: (address: string) => number = () => 200, ports = {}, store?: Store) {
  const sent: { address: string; body: Record<string, unknown> }[] = []
  const outbound: Outbound = {
    post: async ({ address, body }) => {
      sent.push({ address, body: JSON.parse(body) })
      return answer(address)
    },
    get: async () => {
      throw new Error('Nothing is fetched here')
    },
  }
  host = await startHost({ ports: { outbound, ...ports }, ...(store && { store }) })
  const news = () => sent.filter(({ body }) => body.event === 'AttentionNeeded')
  return { sent, news }
}

const endpoint = async (url: string, events: readonly string[]) =>
  (await host.call(createWebhookEndpoint, { body: { url, events: [...events] as never } })).endpointId
const attention = async () => host.call(getAttention, {})
const kinds = async () => (await attention()).conditions.map(({ kind }) => kind)

/** Looks once a minute. */
async function pass(minutes: number) {
  for (let i = 0; i < minutes; i++) {
    host.pass(minute)
    await host.services.attention.announce()
    await host.services.deliveries.settle()
  }
}

async function failedVisit(config = {}) {
  const opened = await openSession(host, await newVerification(host, config))
  await submit(host, opened, { person: null })
  await host.services.deliveries.settle()
  return opened.verificationSessionId
}

const good = 'https://good.example/hook'
const bad = 'https://bad.example/hook'

describe('an endpoint that refuses', () => {
  test('needs attention after 5 refusals over 10 minutes; others hear of it, it does not', async () => {
    const { news } = await start((address) => (address === bad ? 500 : 200))
    const id = await endpoint(bad, ['VerificationCompleted', 'AttentionNeeded'])
    await endpoint(good, ['AttentionNeeded'])
    for (let i = 0; i < 4; i++) await failedVisit()
    host.pass(11 * minute)
    expect(await kinds()).not.toContain('endpointFailing')
    await failedVisit()
    expect((await attention()).conditions[0]).toMatchObject({
      kind: 'endpointFailing',
      subject: { type: 'endpoint', id },
      help: 'docs/integrate.md',
    })
    await pass(7)
    const about = news().filter(({ body }) => body.kind === 'endpointFailing')
    expect(about.map(({ address, body }) => [address, body.state, body.subject])).toEqual([
      [good, 'begun', { type: 'endpoint', id }],
    ])
    expect(Object.keys(about[0]!.body).sort()).toEqual(
      ['event', 'help', 'kind', 'occurredAt', 'since', 'state', 'subject'].sort(),
    )
  })

  test('shows its last answer and its last hour, and is well again after one taken event', async () => {
    let status = 500
    await start(() => status)
    await endpoint(bad, ['VerificationCompleted'])
    for (let i = 0; i < 3; i++) await failedVisit()
    const health = async () => (await host.call(getWebhookEndpoints, {})).endpoints[0]!
    expect(await health()).toMatchObject({
      lastAnswer: { status: 500, error: null },
      lastHour: { attempts: 3, taken: 0 },
    })
    status = 204
    await failedVisit()
    expect(await health()).toMatchObject({
      failingSince: null,
      lastAnswer: { status: 204 },
      lastHour: { attempts: 4, taken: 1 },
    })
    host.pass(70 * minute)
    expect((await health()).lastHour).toEqual({ attempts: 0, taken: 0 })
  })
})

describe('reviews', () => {
  test('need attention when one is older than a day, until it is decided', async () => {
    await start()
    const verificationSessionId = await failedVisit()
    expect(await attention()).toMatchObject({ conditions: [], waitingReviews: 1 })
    host.pass(24 * hour + minute)
    expect((await attention()).conditions).toMatchObject([
      { kind: 'reviewsWaiting', subject: { type: 'account', id: host.accountId } },
    ])
    await host.call(reviewSession, { body: { verificationSessionId, decision: 'Fail' } })
    expect(await attention()).toMatchObject({ conditions: [], waitingReviews: 0 })
  })

  test('need attention when more than the account allows wait', async () => {
    await start()
    await host.call(updateAttentionLimits, { body: { reviewCount: 1 } })
    await failedVisit()
    expect(await kinds()).toEqual([])
    await failedVisit()
    expect(await kinds()).toEqual(['reviewsWaiting'])
  })
})

test('a weakened verification needs attention until it is strengthened or an admin confirms it', async () => {
  await start()
  const liveness = { type: 'Verification' as const, leastAssurance: 'standard' as const }
  const strong = { verifierConfigs: { liveness } }
  const weak = { verifierConfigs: { liveness: { type: 'Verification' as const } } }
  const verificationId = await newVerification(host, strong)
  const write = async (verificationConfig: object) => {
    host.pass(minute)
    await host.call(updateVerification, { body: { verificationId, verificationConfig } })
  }
  expect(await kinds()).toEqual([])
  await write(weak)
  expect((await attention()).conditions).toMatchObject([
    { kind: 'verificationWeakened', subject: { type: 'verification', id: verificationId } },
  ])
  await write({ ...strong, retryConfig: { attempts: 0 } })
  expect(await kinds()).toEqual([])
  await write(weak)
  host.pass(minute)
  await host.call(confirmAttention, { body: { verificationId } })
  expect(await kinds()).toEqual([])
  await write({ verifierConfigs: {} })
  expect(await kinds()).toEqual(['verificationWeakened'])
})

test('a paired kiosk needs attention after a day without contact, a revoked one does not', async () => {
  await start()
  const { kioskId } = await pairDevice(host, await newVerification(host))
  host.pass(23 * hour)
  expect(await kinds()).toEqual([])
  host.pass(hour + minute)
  expect((await attention()).conditions).toMatchObject([
    { kind: 'kioskUnseen', subject: { type: 'kiosk', id: kioskId } },
  ])
  await host.call(revokeKiosk, { query: { kioskId } })
  expect(await kinds()).toEqual([])
})

test('only the operator’s own account hears of a full store', async () => {
  let fill: StoreFill = { share: 0.81, isRefusing: false }
  await start(() => 200, { storeFill: async () => fill })
  const first = (await host.services.accounts.createOnce('first', 'First'))!
  expect(await kinds()).toEqual([])
  const own = async () => (await host.call(getAttention, { apiKey: first.apiKey })).conditions
  expect(await own()).toMatchObject([{ kind: 'storeFull', subject: { type: 'store', id: 'store' } }])
  fill = { share: 0.8, isRefusing: false }
  expect(await own()).toEqual([])
  fill = { share: undefined, isRefusing: true }
  expect(await own()).toMatchObject([{ kind: 'storeFull' }])
})

test('after 50 events in an hour one of the kind many stands for the rest', async () => {
  const { news } = await start()
  await endpoint(good, ['AttentionNeeded'])
  const verificationId = await newVerification(host)
  for (let i = 0; i < 53; i++) await pairDevice(host, verificationId)
  host.pass(25 * hour)
  host.pass(hour - (host.now() % hour))
  await pass(8)
  const told = news().map(({ body }) => body.kind)
  expect(told.filter((kind) => kind === 'kioskUnseen')).toHaveLength(50)
  expect(told.filter((kind) => kind === 'many')).toHaveLength(1)
})

test('one account that cannot be read does not keep the news from the others', async () => {
  const memory = createMemoryStore()
  let looked = Number.NaN
  const list: typeof memory.list = (prefix, after) => {
    if (prefix.startsWith('attention/') && looked++ === 0) throw new Error('Unreadable')
    return memory.list(prefix, after)
  }
  await start(() => 200, {}, { ...memory, list })
  const { apiKey } = await host.services.accounts.create('Second')
  for (const key of [host.apiKey, apiKey])
    await host.call(createWebhookEndpoint, { apiKey: key, body: { url: good, events: ['AttentionNeeded'] } })
  looked = 0
  await expect(host.services.attention.announce()).rejects.toThrow('Unreadable')
  expect(looked).toBe(2)
})

test('limits are the usual ones until the account changes them', async () => {
  await start()
  expect((await attention()).limits).toEqual(usualAttentionLimits)
  await host.call(updateAttentionLimits, { body: { kioskHours: 2 } })
  expect((await attention()).limits).toEqual({ ...usualAttentionLimits, kioskHours: 2 })
})
