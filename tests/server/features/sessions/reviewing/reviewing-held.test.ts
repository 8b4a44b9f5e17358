import { afterEach, describe, expect, test } from 'vitest'
import type { AccountCaller } from '#server/features/callers/callers.ts'
import { createDeliveryStore, type Delivery } from '#server/features/webhooks/delivery-store.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import { createWebhookEndpoint } from '#shared/contract/account/webhook-endpoint.ts'
import { undoReview } from '#shared/contract/sessions/session-evidence.ts'
import { reviewSession } from '#shared/contract/sessions/session-list.ts'
import { scopes } from '#shared/endpoint.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, openSession, resultOf, submit } from '../../../../support/visit.ts'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

/** A completed session, and the webhook events for its reviews. */
async function completed() {
  const heard: string[] = []
  const post: Outbound['post'] = async ({ body }) => {
    heard.push(JSON.parse(body).event)
    return 200
  }
  const get: Outbound['get'] = async () => {
    throw new Error('Nothing is fetched here')
  }
  const host = await startHost({ ports: { outbound: { post, get } } })
  hosts.push(host)
  const url = 'https://shop.example/events'
  await host.call(createWebhookEndpoint, { body: { url, events: ['VerificationReviewed'] } })
  const opened = await openSession(host, await newVerification(host))
  await submit(host, opened, { person: 'anna' })
  const { verificationSessionId } = opened
  const reviewedAt = async () => (await resultOf(host, opened)).review!.reviewedAt
  const undo = async () =>
    host.call(undoReview, { body: { verificationSessionId, reviewedAt: await reviewedAt() } })
  const hear = async () => {
    await host.services.deliveries.resume()
    await host.services.deliveries.settle()
    return heard
  }
  return { host, opened, verificationSessionId, undo, hear }
}

type Completed = Awaited<ReturnType<typeof completed>>

/** Decides the way a person in the console does. */
async function reviewInConsole({ host, verificationSessionId }: Completed): Promise<void> {
  const caller: AccountCaller = {
    kind: 'account',
    via: 'operator',
    accountId: host.accountId,
    keyId: 'ada',
    operatorName: 'Ada',
    scopes,
    address: '127.0.0.1',
    signal: new AbortController().signal,
  }
  const body = { verificationSessionId, decision: 'Pass', ifReviewedAt: null } as const
  await host.services.sessions.reviewSession({ query: undefined, body, caller })
}

describe('a review in the console', () => {
  test('is reported after the 10 seconds in which it can be taken back, once', async () => {
    const one = await completed()
    await reviewInConsole(one)
    expect(await one.hear()).toEqual([])
    one.host.pass(9_000)
    expect(await one.hear()).toEqual([])
    one.host.pass(1_000)
    expect(await one.hear()).toEqual(['VerificationReviewed'])
    expect(await one.hear()).toEqual(['VerificationReviewed'])
  })

  test('is never reported if it is taken back', async () => {
    const one = await completed()
    await reviewInConsole(one)
    await one.undo()
    expect((await resultOf(one.host, one.opened)).review).toBeNull()
    one.host.pass(60_000)
    expect(await one.hear()).toEqual([])
  })
})

test('that has already been reported is reported as undone', async () => {
  const one = await completed()
  await reviewInConsole(one)
  const deliveries = createDeliveryStore(one.host.store, one.host.now)
  const { accountId } = one.host
  const [{ deliveryId }] = (await deliveries.ofSession(accountId, one.verificationSessionId)) as [Delivery]
  const read = (await deliveries.read({ accountId, deliveryId }))!
  const attempts = [{ time: new Date(one.host.now()).toISOString(), status: 200, error: null }]
  await deliveries.replace(read, { ...read.value, state: 'delivered', attempts })
  await one.undo()
  expect(await one.hear()).toEqual(['VerificationReviewed'])
})

test('a review by a key is reported at once, and so is its undoing', async () => {
  const one = await completed()
  const { verificationSessionId } = one
  await one.host.call(reviewSession, { body: { verificationSessionId, decision: 'Pass' } })
  expect(await one.hear()).toEqual(['VerificationReviewed'])
  await one.undo()
  expect(await one.hear()).toEqual(['VerificationReviewed', 'VerificationReviewed'])
})
