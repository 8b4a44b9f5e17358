import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '#server/app/settings.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { isNoted } from '#server/platform/store/records/journal-rules.ts'
import { kindOf } from '#server/platform/store/records/record-kinds.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { inPassing, removalOf, type Store } from '#server/platform/store/store.ts'
import { createKey, revokeKey } from '#shared/contract/account/account.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { createWebhookEndpoint, deleteWebhookEndpoint } from '#shared/contract/account/webhook-endpoint.ts'
import { deleteVerification, updateVerification } from '#shared/contract/configuration/verification.ts'
import { revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { deleteOpenidClient } from '#shared/contract/openid/openid-client.ts'
import { updateFace } from '#shared/contract/recognition/named-faces.ts'
import { deleteCollection, deleteFace, indexFace } from '#shared/contract/recognition/recognition.ts'
import { undoReview } from '#shared/contract/sessions/session-evidence.ts'
import { createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { cancelSession, reviewSession } from '#shared/contract/sessions/session-list.ts'
import { isLong } from '../../../../../e2e/support/length.ts'
import { imageOf, newCollection } from '../../../../support/drawn/gallery.ts'
import type { Host } from '../../../../support/host.ts'
import { captureOf, type Device, handIn, pairDevice, sync } from '../../../../support/kiosk-device.ts'
import {
  configure,
  type NewClient,
  newClient,
  newRequest,
  signIn,
  startProvider,
} from '../../../../support/openid/site.ts'
import { startReceiver } from '../../../../support/programs/receiver.ts'
import { newVerification, openSession, submit, visit } from '../../../../support/visit.ts'

/** Every run covers the smallest number of sessions that includes one of each kind. */
const rounds = isLong ? 125 : 1
const sessionsOfRound = 8

let folder: string
let journal: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
let store: Store
let host: Host
let device: Device
let site: NewClient
let verificationId: string
let endpointId: string
const now = () => (host as Host | undefined)?.now() ?? Date.now()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-rules-'))
  journal = join(folder, 'journal')
  receiver = await startReceiver()
  const env = { DATA_DIR: folder, SECRET: 'x'.repeat(40), JOURNAL_FILE: journal }
  const opened = await openKeyRing(createMemoryStore(now), readSettings(env))
  store = opened.store
  host = await startProvider({ store, ports: { keyRing: opened.keyRing } })
  const webhookConfig = { eventCallbackUrl: receiver.address }
  const liveness = { type: 'Verification' } as const
  verificationId = await newVerification(host, {
    verifierConfigs: { liveness },
    webhookConfig,
    historyConfig: { days: 30 },
    evidenceConfig: { keep: 'review' },
  })
  const events = ['VerificationCompleted', 'VerificationReviewed', 'VerificationExpired'] as const
  endpointId = (
    await host.call(createWebhookEndpoint, { body: { url: receiver.address, events: [...events] } })
  ).endpointId
  device = await pairDevice(host, await newVerification(host, { webhookConfig }))
  site = await newClient(host)
})
afterAll(async () => {
  await host.close()
  receiver.close()
  await rm(folder, { recursive: true, force: true })
})

/** The kinds of records that were written during some work, in order. */
async function noted(work: () => Promise<unknown>): Promise<string[]> {
  const read = async () =>
    existsSync(journal) ? (await readFile(journal, 'utf8')).split('\n').slice(0, -1) : []
  const before = (await read()).length
  await work()
  const lines = (await read()).slice(before)
  return lines.map((line) => kindOf(JSON.parse(line.slice(0, line.lastIndexOf(' ')))[1]))
}

/** Eight sessions: passed, failed, reviewed, cancelled, expired, on a second device, at a kiosk, and at a site that signs people in. */
async function ordinarySessions(): Promise<void> {
  const anna = { person: 'anna' }
  const { opened } = await visit(host, verificationId, anna, 'reExternalId=anna')
  const { verificationSessionId } = opened
  const body = { verificationSessionId, decision: 'Fail' } as const
  const { reviewedAt } = await host.call(reviewSession, { body })
  await host.call(undoReview, { body: { verificationSessionId, reviewedAt } })
  await host.call(reviewSession, { body: { ...body, decision: 'Pass' } })
  await visit(host, verificationId, { ...anna, live: 0 }, 'reExternalId=boris')
  const left = await openSession(host, verificationId)
  await host.call(cancelSession, { body: { verificationSessionId: left.verificationSessionId } })
  const desk = await openSession(
    host,
    await newVerification(host, { webhookConfig: { eventCallbackUrl: receiver.address } }),
  )
  const { code } = await host.call(createHandoff, { bearer: desk.bearer })
  const { sessionToken } = await host.call(takeHandoff, { body: { code } })
  await submit(host, { ...desk, bearer: sessionToken }, anna)
  await sync(host, device)
  await handIn(host, device, captureOf(device, host.now()))
  const { asked, checks } = await newRequest()
  const config = await configure(site)
  const { address } = await signIn(host, client.buildAuthorizationUrl(config, asked).href, anna)
  await client.authorizationCodeGrant(config, new URL(address), checks)
  await openSession(host, verificationId, 'reExternalId=cleo')
  host.pass(25 * 60_000)
}

/** All of a server's periodic work, including what it would do a moment later. */
async function upkeep(): Promise<void> {
  const { deliveries, evidence, auditLog, recognition, expireOverdue, shortenHistory } = host.services
  await expireOverdue()
  await deliveries.settle()
  await deliveries.resume()
  await shortenHistory()
  await evidence.sweep()
  await recognition.finishErasures()
  await auditLog.move('all')
  await store.sweep()
}

test(
  `${rounds * sessionsOfRound} ordinary sessions and their webhooks add no line to the journal, nor do expiries`,
  async () => {
    const taken = receiver.received.length
    const lines = await noted(async () => {
      for (let round = 0; round < rounds; round++) await ordinarySessions()
      await upkeep()
      host.pass(9 * 24 * 3600_000)
      await upkeep()
    })
    expect(lines).toEqual([])
    expect(receiver.received.length - taken).toBeGreaterThanOrEqual(6 * rounds)
  },
  isLong ? 900_000 : 120_000,
)

test('renaming and reassigning add no line either', async () => {
  const id = await newVerification(host)
  const collectionId = await newCollection(host)
  const face = { collectionId, image: imageOf({ person: 'dora' }), externalId: 'dora' }
  const { faceId } = await host.call(indexFace, { body: face })
  const lines = await noted(async () => {
    await host.call(updateVerification, { body: { verificationId: id, name: 'another name' } })
    await host.call(updateFace, { body: { collectionId, faceId: faceId!, externalId: 'emil' } })
  })
  expect(lines).toEqual([])
})

describe('an erasure or revocation adds lines', () => {
  const erasures: [string, readonly string[], () => Promise<unknown>][] = [
    [
      'a face, with its index entries',
      ['face', 'face-by-external-id'],
      async () => {
        const collectionId = await newCollection(host)
        const body = { collectionId, image: imageOf({ person: 'dora' }), externalId: 'dora' }
        const { faceId } = await host.call(indexFace, { body })
        await host.call(deleteFace, { query: { collectionId, faceId: faceId! } })
      },
    ],
    [
      'a collection',
      ['collection', 'face'],
      async () => {
        const collectionId = await newCollection(host)
        await host.call(indexFace, { body: { collectionId, image: imageOf({ person: 'dora' }) } })
        await host.call(deleteCollection, { query: { collectionId } })
      },
    ],
    [
      'a person',
      [
        'session',
        'session-row',
        'session-past',
        'person-session',
        'delivery',
        'delivery-by-session',
        'attempt',
        'openid-subject',
      ],
      async () => {
        await visit(host, verificationId, { person: 'fred' }, 'reExternalId=fred')
        await host.services.deliveries.settle()
        await host.call(deletePerson, { query: { externalId: 'fred' } })
      },
    ],
    [
      'a verification, with its name and its versions',
      ['verification', 'verification-name', 'verification-owner', 'verification-version'],
      async () => host.call(deleteVerification, { query: { verificationId: await newVerification(host) } }),
    ],
    [
      'a key',
      ['api-key'],
      async () => {
        const { keyId } = await host.call(createKey, { body: { name: 'Lost', scopes: ['analyse'] } })
        await host.call(revokeKey, { query: { keyId } })
      },
    ],
    ['a kiosk', ['kiosk'], () => host.call(revokeKiosk, { query: { kioskId: device.kioskId } })],
    ['an endpoint', ['webhook-endpoint'], () => host.call(deleteWebhookEndpoint, { query: { endpointId } })],
    [
      'a client of the OpenID provider',
      ['openid-client', 'openid-client-owner'],
      () => host.call(deleteOpenidClient, { query: { clientId: site.clientId } }),
    ],
  ]
  test.each(erasures)('%s', async (_what, kinds, work) => {
    expect(await noted(work)).toEqual(expect.arrayContaining([...kinds]))
  })
})

test('the kind of a record decides, and its caller only if the kind leaves it open', () => {
  const isErasure = (key: string) => isNoted(removalOf(key))
  const isNotedInPassing = (key: string) => isNoted(inPassing(removalOf(key)))
  expect(['face/a', 'verification-name/a', 'unheard-of/a', 'no-kind'].map(isErasure)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['face/a', 'verification-name/a'].map(isNotedInPassing)).toEqual([true, false])
  expect(['open-session/a', 'session-count/a', 'session-class/a'].map(isErasure)).toEqual([
    false,
    false,
    false,
  ])
})
