import { importJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Contents, fixturePages, type StoredKiosk, type StoreKind } from '#lab/fixtures/contents.ts'
import { repeat } from '#lab/fixtures/integrations.ts'
import { oddNamesOf } from '#lab/fixtures/odd-names.ts'
import { visitorOf } from '#lab/fixtures/people.ts'
import { picturesOf } from '#lab/fixtures/reviews.ts'
import { nextFrame, open, showPhotograph, showSteps, sign, submit } from '#lab/fixtures/sessions.ts'
import { getAccount, getKeys } from '#shared/contract/account/account.ts'
import { verifyAuditLog } from '#shared/contract/account/audit.ts'
import { exportPerson } from '#shared/contract/account/person.ts'
import { getDeliveries } from '#shared/contract/account/webhook.ts'
import { getWebhookEndpoints } from '#shared/contract/account/webhook-endpoint.ts'
import {
  createOrUpdateVerification,
  createVerification,
  getAllVerifications,
  getVerification,
} from '#shared/contract/configuration/verification.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { getPeople } from '#shared/contract/console/people.ts'
import { pairKiosk, submitKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import { getOpenidClients } from '#shared/contract/openid/openid-client.ts'
import {
  createCollection,
  deleteFace,
  getAllFaces,
  getCollection,
  indexFace,
  searchFace,
  updateCollection,
} from '#shared/contract/recognition/recognition.ts'
import { getUtcNow } from '#shared/contract/security/security.ts'
import { getSession } from '#shared/contract/sessions/session.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import { createPasskeyOptions, verifyPasskey } from '#shared/contract/sessions/session-passkey.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { getUsage } from '#shared/contract/sessions/session-usage.ts'
import { some } from '../../e2e/support/length.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import {
  captureOf,
  type Device,
  handIn,
  newDeviceKey,
  planOf,
  sync,
  tokenOf,
} from '../support/kiosk-device.ts'
import { problemOf } from '../support/visit.ts'
import {
  lackFor,
  openReleasedStore,
  type ReleasedStore,
  type RunningServer,
  releasedFixtures,
  startReceiver,
} from './released-store.ts'

const longerThanAStart = 120_000

/** Startup warnings that have nothing to do with the settings or the machine. */
function complaintsIn(log: readonly string[]): string[] {
  const expected = [
    'no_tls',
    'node_unsupported',
    'store_may_lose',
    'clock_drift',
    'proxy_unread',
    'clear_codes',
    'equal_names',
    // An upgrade to rows of PostgreSQL has two more steps, which these name.
    'audit_in_files',
    'audit_heads_local',
  ]
  const words = [...expected.map((code) => `"warning":"${code}"`), 'Unsupported runtime']
  return log.filter((line) => !words.some((word) => line.includes(word)))
}

describe.each(some(releasedFixtures()))('a store of %s on %s', (version, kind: StoreKind) => {
  const { odd, ofOneForm } = oddNamesOf(version)
  const lack = lackFor(kind)
  if (lack !== '') return test.skip(`opens${lack}`, () => undefined)
  let store: ReleasedStore
  let contents: Contents
  let server: RunningServer
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  const call: RunningServer['caller']['call'] = (endpoint, args) => server.caller.call(endpoint, args)
  const caller = { call }
  const kiosks = () => ({ call, now: store.now })

  beforeAll(async () => {
    receiver = await startReceiver()
    store = await openReleasedStore(version, kind)
    contents = store.contents
    server = await store.start()
  }, longerThanAStart)
  afterAll(async () => {
    await server?.stop()
    await store?.stop()
    receiver?.stop()
  }, longerThanAStart)

  test('has its counts of sessions', async () => {
    const { query, answer } = contents.usage
    // Answers may gain members.
    expect(await call(getUsage, { query })).toMatchObject(answer as object)
  })

  test('has its account and keys, and refuses revoked ones', async () => {
    expect((await call(getAccount, {})).account).toMatchObject(contents.account)
    const { keys } = await call(getKeys, {})
    for (const key of contents.keys) {
      expect(keys.find(({ keyId }) => keyId === key.keyId)).toMatchObject({ name: key.name })
      const outcome = await problemOf(call(getUtcNow, { apiKey: key.apiKey }))
      expect([key.name, outcome]).toEqual([key.name, key.isRevoked ? 'unauthenticated' : 'no problem'])
    }
  })

  test('has its verifications under their given names, and no deleted one', async () => {
    const { verifications } = await call(getAllVerifications, {})
    expect(verifications).toHaveLength(contents.verifications.length)
    for (const stored of contents.verifications) {
      const query = { verificationId: String(stored.verificationId) }
      const { verification, ...rules } = await call(getVerification, { query })
      expect({ ...verification, ...rules }).toMatchObject(stored)
    }
    const names = verifications.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...odd, ...ofOneForm]))
  })

  test(
    'finds its faces, in collections of any name, and changes them',
    async () => {
      for (const { collectionId, description, faceIds } of contents.collections) {
        const { recognitionCollection } = await call(getCollection, { query: { collectionId } })
        expect(recognitionCollection).toMatchObject({ collectionId, description })
        const { faces } = await call(getAllFaces, { query: { collectionId } })
        expect(faces.map(({ faceId }) => faceId).sort()).toEqual([...faceIds].sort())
        if (faceIds.length === 0) continue
        const named = faces.flatMap(({ externalId }) => externalId ?? [])
        expect(named.sort()).toEqual([...odd].sort())
        const image = { bytes: (await nextFrame()).bytes }
        const found = await call(searchFace, { body: { collectionId, image } })
        expect(faceIds).toContain(found.faceId)
        const { faceId } = await call(indexFace, { body: { collectionId, image } })
        await call(deleteFace, { query: { collectionId, faceId: faceId! } })
      }
      const collectionId = verificationNamed('Opening an account')
      const image = { bytes: (await nextFrame()).bytes }
      expect(await call(searchFace, { body: { collectionId, image } })).toMatchObject({
        hasFace: true,
        faceId: expect.any(String),
      })
    },
    longerThanAStart,
  )

  test('goes on with names that are refused for anything new, and takes no further form of them', async () => {
    for (const name of [...odd, ...ofOneForm]) {
      expect(await call(createOrUpdateVerification, { body: { name } })).toMatchObject({ wasCreated: false })
      await call(updateCollection, { body: { collectionId: name } })
    }
    for (const name of ofOneForm) {
      expect(await problemOf(call(createVerification, { body: { name } }))).toBe('conflict')
      expect(await problemOf(call(createCollection, { body: { collectionId: name } }))).toBe('conflict')
    }
  })

  test('finds people by the external ids that they were stored under', async () => {
    for (const externalId of [contents.externalId, ...odd]) {
      const person = await call(exportPerson, { query: { externalId } })
      expect(person).toMatchObject({ externalId, faces: [expect.anything()] })
    }
  })

  test('lists its sessions and has their results', async () => {
    for (const result of contents.results) {
      const query = { verificationSessionId: String(result.verificationSessionId) }
      expect(await call(getSessionResult, { query })).toMatchObject(result)
    }
    const { sessions } = await call(getSessions, { query: { limit: 100 } })
    const ended = sessions.filter(({ verificationResult }) => verificationResult !== null)
    expect(ended).toMatchObject(
      contents.sessions.filter(({ verificationResult }) => verificationResult !== null),
    )
  })

  test('shows the pictures that wait for a review, and none that were reviewed', async () => {
    for (const { name, sessionId, pictures } of contents.reviewed) {
      if (pictures.length === 0)
        expect([name, await problemOf(picturesOf(caller, sessionId))]).toEqual([name, 'evidence_not_kept'])
      else expect([name, await picturesOf(caller, sessionId)]).toEqual([name, pictures])
    }
  })

  test('knows who must not pass, why, and who reviews it', async () => {
    const { denied } = contents
    expect(denied === undefined).toBe(version === '0.2.0')
    if (denied === undefined) return
    const { externalId, verificationId, sessionId, collectionId, faceId, note, reviewer } = denied
    const { deniedFaces } = await call(exportPerson, { query: { externalId } })
    expect(deniedFaces).toMatchObject([{ collectionId, faceId, note }])
    const { sessions } = await call(getSessions, { query: { assignedTo: reviewer } })
    expect(sessions).toMatchObject([{ verificationSessionId: sessionId, assignedTo: reviewer }])
    const opened = await open(caller, await sign(caller, verificationId, 'order=denied'))
    await showPhotograph(caller, opened)
    const query = { verificationSessionId: opened.sessionId }
    expect(await call(getSessionResult, { query })).toMatchObject({
      verificationFailedReasons: ['denied'],
      denied: { collectionId, faceId, externalId },
    })
  })

  test('refuses used links, and accepts tokens that were signed before', async () => {
    expect(await problemOf(open(caller, contents.usedLink))).toBe('link_already_used')
    expect(await problemOf(call(getUtcNow, { bearer: contents.bearer }))).toBe('no problem')
  })

  test(
    'opens a link that was signed before, and continues every open session',
    async () => {
      await submit(caller, await open(caller, contents.freshLink))
      for (const { name, ...session } of contents.open) {
        const { bearer, sessionId } = session
        const { state, try: number = 1 } = await call(getSession, { bearer })
        expect([name, state]).toEqual([name, expect.stringMatching(/^(Created|Started)$/)])
        expect([name, number]).toEqual([name, name === 'tried' ? 2 : 1])
        await showPhotograph(caller, session)
        const { verificationResult } = await call(getSessionResult, {
          query: { verificationSessionId: sessionId },
        })
        expect([name, verificationResult]).toEqual([name, expect.stringMatching(/^(Pass|Fail)$/)])
        // Pictures from before and after the upgrade.
        if (name === 'gathered') expect((await picturesOf(caller, sessionId)).length).toBeGreaterThan(2)
      }
    },
    longerThanAStart,
  )

  test('asks for a passkey that was bound before, and accepts it', async () => {
    const { externalId, verificationId, device } = contents.passkeyHolder
    const query = `reExternalId=${encodeURIComponent(externalId)}`
    const opened = await open(caller, await sign(caller, verificationId, query))
    const { bearer, sessionId } = opened
    const { capturePlan } = await call(getSession, { bearer })
    expect(capturePlan).toMatchObject({ passkey: true })
    const { options } = await call(createPasskeyOptions, { bearer, body: { ceremony: 'verify' } })
    const response = newAuthenticator(fixturePages, undefined, device).show(options)
    await call(verifyPasskey, { bearer, body: { response } })
    await showSteps(caller, opened, Number.POSITIVE_INFINITY)
    await submit(caller, opened)
    const result = await call(getSessionResult, { query: { verificationSessionId: sessionId } })
    expect(result.passkeys).toMatchObject([{ use: 'shown', attestation: { format: 'packed' } }])
  })

  test('lets the people of its console continue, sign in, and see who was invited', async () => {
    for (const { name, role, device, cookie, antiForgery: token } of contents.people) {
      const visitor = visitorOf(server.origin, newAuthenticator(fixturePages, undefined, device))
      const goesOn = await visitor.ask(consoleCatalogue.getMe, {}, { cookie, token })
      expect(goesOn.body).toMatchObject({ name, role })
      expect((await visitor.signIn()).body.me).toMatchObject({ name, role })
      const { body } = await visitor.ask(getPeople)
      expect(body.people).toHaveLength(contents.people.length)
      if (role === 'owner') expect(body.invitations).toMatchObject([{ name: contents.invited }])
    }
  })

  test('has its OpenID clients with valid secrets', async () => {
    const { clientId, clientSecret, redirectUri } = contents.openidClient
    const { clients } = await call(getOpenidClients, {})
    expect(clients).toHaveLength(2)
    expect(clients.find((client) => client.clientId === clientId)).toMatchObject({
      name: 'Shop',
      redirectUris: [redirectUri],
      ageThresholds: [18, 21],
    })
    const push = (secret: string) =>
      fetch(`${server.origin}/openid/par`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({
          client_id: clientId,
          response_type: 'code',
          scope: 'openid',
          redirect_uri: redirectUri,
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
        }),
      })
    expect((await push(clientSecret)).status).toBe(201)
    expect((await push(`${clientSecret}x`)).status).toBe(401)
  })

  test('answers a call that is repeated under its idempotency key as before', async () => {
    const { apiKey } = contents.keys[0]!
    const { keyId } = contents.repeatable
    expect(await repeat(server.origin, apiKey, contents.repeatable)).toEqual({ keyId, isReplayed: true })
  })

  test('continues with a paired kiosk, refuses a revoked one, and answers a repeated capture as before', async () => {
    const device = await deviceOf(contents.kiosk)
    expect(await sync(kiosks(), device)).toMatchObject({ configuration: expect.anything() })
    const { captureId, sealed, answer } = contents.kiosk.captured
    const bearer = await tokenOf(kiosks(), device)
    expect(await call(submitKiosk, { bearer, body: { captureId, sealed } })).toEqual(answer)
    const revoked = await deviceOf({ ...contents.revokedKiosk, plans: [] })
    expect(await problemOf(tokenOf(kiosks(), revoked))).toBe('kiosk_revoked')
  })

  test(
    'accepts a capture on a plan that was drawn before, and pairs a device with an open code',
    async () => {
      const device = await deviceOf(contents.kiosk)
      const plan = device.plans[0]!
      const asked = Array.from({ length: 1 + planOf(plan).actionCount }, async (_, challengeStep) => ({
        ...(await nextFrame()),
        time: challengeStep * 3000 + 1500,
        challengeStep,
      }))
      const capture = captureOf(device, store.now(), { plan, sequence: 2, frames: await Promise.all(asked) })
      expect(await handIn(kiosks(), device, capture)).toMatchObject({ verificationResult: 'Fail' })
      const { publicJwk: publicKey } = await newDeviceKey()
      await call(pairKiosk, { body: { pairingCode: contents.pairingCode, publicKey } })
    },
    longerThanAStart,
  )

  test(
    'has its endpoints and deliveries, and delivers what was pending',
    async () => {
      const { endpoints } = await call(getWebhookEndpoints, {})
      expect(endpoints).toHaveLength(contents.endpoints.length)
      for (const { endpointId, url, events, description, enabled } of contents.endpoints)
        expect(endpoints).toContainEqual(
          expect.objectContaining({ endpointId, url, events, description, enabled }),
        )
      await vi.waitFor(async () => {
        const { deliveries } = await call(getDeliveries, { query: { limit: 100 } })
        const stateOf = (id: string) => deliveries.find(({ deliveryId }) => deliveryId === id)?.state
        const [pending, over] = partitioned(contents.deliveries, ({ state }) => state === 'pending')
        for (const { deliveryId, state } of over) expect(stateOf(deliveryId)).toBe(state)
        // The others wait for a later retry, because their receiver has rejected them more than once.
        expect(pending.map(({ deliveryId }) => stateOf(deliveryId))).toContain('delivered')
      }, longerThanAStart)
    },
    2 * longerThanAStart,
  )

  test('has its audit log, and continues it', async () => {
    const query = { ...contents.auditHead }
    const verdict = await call(verifyAuditLog, { query })
    expect(verdict).toMatchObject({ valid: true })
    expect(verdict.head!.sequence).toBeGreaterThan(query.sequence)
  })

  test(
    'opens without a complaint, even a second time',
    async () => {
      expect(server.isAlive()).toBe(true)
      expect(complaintsIn(server.log)).toEqual([])
      await server.stop()
      server = await store.start()
      expect((await call(getKeys, {})).keys.length).toBeGreaterThanOrEqual(contents.keys.length)
      expect(complaintsIn(server.log)).toEqual([])
    },
    longerThanAStart,
  )

  function verificationNamed(wanted: string): string {
    return String(contents.verifications.find((one) => one.name === wanted)!.verificationId)
  }
})

function partitioned<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

async function deviceOf(stored: Omit<StoredKiosk, 'captured'>): Promise<Device> {
  const { kioskId, issuer, sealingKey, plans } = stored
  const privateKey = await importJWK(stored.privateKey, 'ES256')
  const { kty, crv, x, y } = stored.privateKey
  const key = { privateKey, publicJwk: { kty, crv, x, y } }
  return { kioskId, issuer, sealingKey, plans: [...plans], key } as unknown as Device
}
