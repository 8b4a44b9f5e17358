import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, getKeys } from '#shared/contract/account/account.ts'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { getDeliveries } from '#shared/contract/account/webhook.ts'
import { createWebhookEndpoint, getWebhookEndpoints } from '#shared/contract/account/webhook-endpoint.ts'
import { createVerification, getAllVerifications } from '#shared/contract/configuration/verification.ts'
import { createKiosk, getAllKiosks } from '#shared/contract/kiosk/kiosk.ts'
import {
  createCollection,
  getCollection,
  indexFace,
  searchFace,
} from '#shared/contract/recognition/recognition.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { type Endpoint, scopes } from '#shared/endpoint.ts'
import { randomNumbers } from '#shared/random-numbers.ts'
import { endpoints } from '../support/contract/endpoints.ts'
import { frameOf } from '../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../support/host.ts'
import { startReceiver } from '../support/programs/receiver.ts'
import { openSession, signedQuery, submit } from '../support/visit.ts'

/** The contents of one environment. All names differ from the other environment's names. */
interface World {
  readonly host: Host
  /** A marker that appears in everything belonging to it, and that no attack sends. */
  readonly mark: string
  readonly bearer: string
  /** Keyed by the names that requests use for them. */
  readonly ids: Readonly<Record<string, string>>
  readonly sessionToken: string
  readonly link: string
  readonly returned: string
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>
}

const tricksEachWay = 200
let live: World
let trial: World
const closers: (() => unknown)[] = []

beforeAll(async () => {
  const host = await startHost()
  closers.push(host.close)
  const body = { name: 'CI', scopes: [...scopes], mode: 'test' as const }
  const { apiKey } = await host.call(createKey, { body })
  live = await worldOf(host, 'live')
  trial = await worldOf(
    { ...host, apiKey, call: (endpoint, args) => host.call(endpoint, { apiKey, ...args }) },
    'test',
  )
})
afterAll(async () => {
  for (const close of closers) await close()
})

async function worldOf(host: Host, name: string): Promise<World> {
  const receiver = await startReceiver()
  closers.push(receiver.close)
  const url = receiver.address
  const mark = `only of ${name}`
  const { endpointId } = await host.call(createWebhookEndpoint, {
    body: { url, events: ['VerificationCompleted'], description: mark },
  })
  const collectionId = `collection-of-${name}`
  await host.call(createCollection, { body: { collectionId, description: mark } })
  const { bytes } = frameOf({ person: 'anna' })
  const indexed = await host.call(indexFace, { body: { collectionId, image: { bytes } } })
  const verificationConfig = {
    redirectConfig: { passedUrl: 'https://shop.example/in', failedUrl: 'https://shop.example/out' },
    resultParameterConfig: { includeSessionId: true, includeSignature: true },
  }
  const { verificationId } = await host.call(createVerification, {
    body: { name: mark, verificationConfig },
  })
  const externalId = `person-of-${name}`
  const opened = await openSession(
    host,
    verificationId,
    `reExternalId=${externalId}&reCorrelationId=${encodeURIComponent(mark)}`,
  )
  const { redirectUrl } = await submit(host, opened, { person: 'anna' })
  await host.services.deliveries.settle()
  const { deliveries } = await host.call(getDeliveries, { query: {} })
  const { kioskId } = await host.call(createKiosk, { body: { name: mark, verificationId } })
  const { keys } = await host.call(getKeys, {})
  const { sessionToken } = await host.call(createSession, { body: { verificationId } })
  const { token } = await host.call(getToken, { query: { scope: 'analyse configure' } })
  return {
    host,
    mark,
    bearer: token,
    ids: {
      verificationId,
      verificationSessionId: opened.verificationSessionId,
      collectionId,
      collectionName: collectionId,
      externalId,
      faceId: indexed.faceId!,
      keyId: keys[0]!.keyId,
      kioskId,
      endpointId,
      deliveryId: deliveries[0]!.deliveryId,
    },
    sessionToken,
    link: await signedQuery(host, `reVerificationId=${verificationId}`),
    returned: redirectUrl!.split('?')[1]!,
    receiver,
  }
}

/** Everything in an environment that an attack might change. */
async function stateOf({ host, ids, receiver }: World) {
  const { verificationSessionId, collectionId } = ids as {
    verificationSessionId: string
    collectionId: string
  }
  const { bytes } = frameOf({ person: 'anna' })
  const { entries } = await host.call(getAuditLog, { query: { limit: 1 } })
  return {
    result: await host.call(getSessionResult, { query: { verificationSessionId } }),
    verifications: await host.call(getAllVerifications, {}),
    collection: await host.call(getCollection, { query: { collectionId } }),
    face: (await host.call(searchFace, { body: { collectionId, image: { bytes } } })).faceId,
    keys: (await host.call(getKeys, {})).keys.map(({ lastUsed: _used, ...key }) => key),
    endpoints: await host.call(getWebhookEndpoints, {}),
    kiosks: await host.call(getAllKiosks, {}),
    deliveries: await host.call(getDeliveries, { query: {} }),
    audited: entries[0]!.sequence,
    events: receiver.received.length,
  }
}

interface Trick {
  readonly endpoint: Endpoint
  readonly authorization: string
  readonly headers: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body: Record<string, unknown>
}

/** Replaces ids with the other environment's, and adds claims of belonging to it. */
function drawTrick(own: World, other: World, draw: () => number): Trick {
  const among = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)]!
  const open = [...endpoints.values()].filter(({ auth }) => auth === 'key' || auth === 'key-or-bearer')
  const endpoint = among(open)
  const environment = own === live ? 'test' : 'live'
  const claim = among<Record<string, unknown>>([
    {},
    { environment },
    // A live key is allowed to create test keys.
    endpoint.path === createKey.path ? {} : { mode: environment },
    { accountId: other.host.accountId },
  ])
  const queryString = among([other.link, other.returned])
  const swap = (given: unknown): unknown => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        name === 'queryString' ? queryString : (other.ids[name] ?? swap(value)),
      ]),
    )
  }
  const { example = {} } = endpoint
  const image = { bytes: frameOf({ person: 'anna' }).bytes }
  const body = {
    ...(swap(example.body ?? {}) as object),
    ...claim,
    ...('image' in Object(example.body) && { image }),
  }
  const credential = among([`ApiKey ${own.host.apiKey}`, `Bearer ${own.bearer}`, `ApiKey ${own.host.apiKey}`])
  const headers = among<Record<string, string>>([
    {},
    { 'x-selfsame-environment': environment },
    { 'x-api-key': own.host.apiKey },
  ])
  const ids = Object.fromEntries(Object.entries(other.ids).filter(() => draw() < 0.3))
  return {
    endpoint,
    authorization: credential,
    headers,
    query: { ...(swap(example.query ?? {}) as object), ...ids },
    body,
  }
}

async function play({ host }: World, { endpoint, authorization, headers, query, body }: Trick) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const answer = await host.fetch(`${endpoint.path}?${search}`, {
    method: endpoint.method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(endpoint.method !== 'GET' && endpoint.body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

describe.each([
  ['a test key', 'live'],
  ['a live key', 'test'],
] as const)('%s', (_name, victim) => {
  const worlds = () => (victim === 'live' ? { own: trial, other: live } : { own: live, other: trial })

  test(`by ${tricksEachWay} drawn tricks gets and changes nothing that is ${victim}`, async () => {
    const { own, other } = worlds()
    const before = await stateOf(other)
    const draw = randomNumbers(victim === 'live' ? 1 : 2)
    const statuses = new Map<number, number>()
    for (let count = 0; count < tricksEachWay; count++) {
      const trick = drawTrick(own, other, draw)
      const { status, text } = await play(own, trick)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const told = [other.mark, other.receiver.address, other.sessionToken, other.host.apiKey]
      const leaked = told.filter((value) => text.includes(value))
      expect(leaked, `${trick.endpoint.path} ${text}`).toEqual([])
      expect(text, trick.endpoint.path).not.toMatch(/"result":"(Valid|Expired|NonceAlreadyUsed)"/)
    }
    await own.host.services.deliveries.settle()
    expect(await stateOf(other)).toEqual(before)
    expect(statuses.get(404)).toBeGreaterThan(10)
  })

  test(`does not accept signatures or tokens made for ${victim}`, async () => {
    const { own, other } = worlds()
    const open = (verificationId: string, queryString: string) =>
      other.host.fetch('/v1/verification/init-redirect-session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ verificationId, queryString }),
      })
    expect((await open(other.ids.verificationId!, own.link)).status).toBe(401)
    expect((await open(own.ids.verificationId!, other.link)).status).toBe(401)
    expect((await open(other.ids.verificationId!, other.link)).status).toBe(200)
  })
})
