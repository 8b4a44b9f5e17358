import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { importJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { fixtureSettings, receiverPort, type StoredKiosk } from '#lab/fixtures/contents.ts'
import { nextFrame, open, showPhotograph, step, submit } from '#lab/fixtures/sessions.ts'
import { type Caller, callerOf } from '#lab/torture/caller.ts'
import { getAccount, getKeys } from '#shared/contract/account/account.ts'
import { verifyAuditLog } from '#shared/contract/account/audit.ts'
import { exportPerson } from '#shared/contract/account/person.ts'
import { getDeliveries } from '#shared/contract/account/webhook.ts'
import { getAllVerifications, getVerification } from '#shared/contract/configuration/verification.ts'
import { pairKiosk, submitKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import {
  deleteFace,
  getAllFaces,
  getCollection,
  indexFace,
  searchFace,
} from '#shared/contract/recognition/recognition.ts'
import { getUtcNow } from '#shared/contract/security/security.ts'
import { getSession } from '#shared/contract/sessions/session.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { some } from '../../e2e/support/length.ts'
import {
  captureOf,
  type Device,
  handIn,
  newDeviceKey,
  planOf,
  sync,
  tokenOf,
} from '../support/kiosk-device.ts'
import {
  freePort,
  hasRedisServer,
  needsRedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import { launch } from '../support/programs/server-process.ts'
import { problemOf } from '../support/visit.ts'
import { contentsOf, fillRedis, putStoreFile } from './former-store.ts'

const dayInMilliseconds = 24 * 3600 * 1000
const longerThanAStart = 120_000

/** A running program on a former store. */
interface Running {
  readonly caller: Caller
  readonly log: readonly string[]
  isAlive(): boolean
  stop(): Promise<void>
}

/** Settings of a program whose clock is so many milliseconds off. */
function clockOffBy(milliseconds: number): Record<string, string> {
  const code = `
    const Real = Date
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Date.now()) : super(...given) }
      static now() { return Real.now() + ${Math.round(milliseconds)} }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

async function start(env: Record<string, string>, apiKey: string): Promise<Running> {
  const port = await freePort()
  const child = launch({
    ...fixtureSettings,
    OPENID_PROVIDER: 'off',
    DEMO: 'false',
    PORT: String(port),
    ...env,
  })
  const log: string[] = []
  createInterface({ input: child.stderr! }).on('line', (line) => log.push(line))
  for await (const line of createInterface({ input: child.stdout! }))
    if (line.startsWith('Selfsame is ready at ')) break
  child.stdout!.resume()
  const isAlive = () => child.exitCode === null && child.signalCode === null
  return {
    caller: callerOf(`http://127.0.0.1:${port}`, apiKey),
    log,
    isAlive,
    async stop() {
      if (!isAlive()) return
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** What a start has to say of what went wrong: neither the settings nor the machine. */
function complaintsIn(log: readonly string[]): string[] {
  const expected = ['no_tls', 'node_unsupported', 'store_may_lose', 'clock_drift', 'proxy_unread']
  return log.filter((line) => !expected.some((code) => line.includes(`"warning":"${code}"`)))
}

const former = [
  ['cf9e140.lmdb', 'an embedded store of 0.1.0'],
  ['1ffbd2e.redis', 'a Redis store of the first 0.2.0'],
  ['cf9e140-1ffbd2e.lmdb', 'one on which a program was started that could not read it'],
  ['1ffbd2e.lmdb', 'an embedded store of the first 0.2.0'],
  ['cf9e140.redis', 'a Redis store of 0.1.0'],
] as const

describe.each(some(former))('%s, %s', (name) => {
  const isRedis = name.endsWith('redis')
  const contents = contentsOf(name)
  const [{ apiKey }] = contents.keys as [(typeof contents.keys)[number]]
  const dataDir = mkdtempSync(join(tmpdir(), 'selfsame-former-'))
  let redis: Awaited<ReturnType<typeof startRedisServer>> | undefined
  let program: Running
  /** Takes the webhook that was never answered. */
  const receiver = createServer((_request, answer) => void answer.end())
  /** [Note: Redis has a clock of its own] So on Redis only what lasts is looked at once the rest has expired. */
  const age = Date.now() - contents.madeAt
  const offset = isRedis ? 0 : 30_000 - age
  const stillThere = test.skipIf(isRedis && (!hasRedisServer || age > dayInMilliseconds / 48))
  const lasting = test.skipIf(isRedis && !hasRedisServer)
  const now = () => Date.now() + offset
  const begin = () => {
    const env = { DATA_DIR: dataDir, ...(redis && { STORE: redis.address }), ...clockOffBy(offset) }
    return start(env, apiKey)
  }

  beforeAll(async () => {
    if (isRedis && !hasRedisServer) return
    await new Promise<void>((listening) => receiver.listen(receiverPort, '127.0.0.1', listening))
    if (isRedis) redis = await startRedisServer()
    if (redis === undefined) putStoreFile(name, dataDir)
    else await fillRedis(name, redis.address)
    program = await begin()
  }, longerThanAStart)
  afterAll(async () => {
    await program?.stop()
    await redis?.stop()
    receiver.close()
    rmSync(dataDir, { recursive: true, force: true })
  }, longerThanAStart)

  lasting(
    `has its accounts and keys, and those that were revoked are refused${isRedis ? needsRedisServer : ''}`,
    async () => {
      const { call } = program.caller
      expect((await call(getAccount, {})).account).toMatchObject(contents.account)
      expect((await call(getKeys, {})).keys).toHaveLength(contents.keys.length)
      for (const key of contents.keys) {
        const outcome = await problemOf(call(getUtcNow, { apiKey: key.apiKey }))
        expect([key.name, outcome]).toEqual([key.name, key.isRevoked ? 'unauthenticated' : 'no problem'])
      }
    },
  )

  lasting('has its verifications, and nothing of one that was deleted', async () => {
    const { call } = program.caller
    const { verifications } = await call(getAllVerifications, {})
    expect(verifications).toHaveLength(contents.verifications.length)
    for (const stored of contents.verifications) {
      const query = { verificationId: String(stored.verificationId) }
      expect((await call(getVerification, { query })).verification).toMatchObject(stored)
    }
  })

  lasting(
    'finds its faces, takes new ones, and lets them go',
    async () => {
      const { call } = program.caller
      for (const { collectionId, description, faceIds } of contents.collections) {
        const { recognitionCollection } = await call(getCollection, { query: { collectionId } })
        expect(recognitionCollection).toMatchObject({ collectionId, description })
        const { faces } = await call(getAllFaces, { query: { collectionId } })
        expect(faces.map(({ faceId }) => faceId).sort()).toEqual([...faceIds].sort())
        if (faceIds.length === 0) continue
        const image = { bytes: (await nextFrame()).bytes }
        const found = await call(searchFace, { body: { collectionId, image } })
        expect(faceIds).toContain(found.faceId)
        const { faceId } = await call(indexFace, { body: { collectionId, image } })
        await call(deleteFace, { query: { collectionId, faceId: faceId! } })
      }
      const { externalId } = contents
      const { collectionId } = { collectionId: String(verificationOf('Opening an account').verificationId) }
      const image = { bytes: (await nextFrame()).bytes }
      expect(await call(searchFace, { body: { collectionId, image } })).toMatchObject({ hasFace: true })
      expect(await call(exportPerson, { query: { externalId } })).toMatchObject({ externalId })
    },
    longerThanAStart,
  )

  lasting(
    'goes on with a paired kiosk, refuses a revoked one, and answers what was handed in as before',
    async () => {
      const server = { ...program.caller, now }
      const device = await deviceOf(contents.kiosk)
      expect(await sync(server, device)).toMatchObject({ configuration: expect.anything() })
      const { captureId, sealed, answer } = contents.kiosk.captured
      const bearer = await tokenOf(server, device)
      expect(await server.call(submitKiosk, { bearer, body: { captureId, sealed } })).toEqual(answer)
      const revoked = await deviceOf({ ...contents.revokedKiosk, plans: [] })
      expect(await problemOf(tokenOf(server, revoked))).toBe('kiosk_revoked')
    },
  )

  lasting('has its audit log, which leads on from where it ended', async () => {
    const query = { ...contents.auditHead }
    const verdict = await program.caller.call(verifyAuditLog, { query })
    expect(verdict).toMatchObject({ valid: true })
    expect(verdict.head!.sequence).toBeGreaterThan(query.sequence)
  })

  stillThere('has its results, its used links and its tokens', async () => {
    const { call } = program.caller
    for (const result of contents.results) {
      const query = { verificationSessionId: String(result.verificationSessionId) }
      expect(await call(getSessionResult, { query })).toMatchObject(result)
    }
    expect(await problemOf(open(program.caller, contents.usedLink))).toBe('link_already_used')
    expect(await problemOf(call(getUtcNow, { bearer: contents.bearer }))).toBe('no problem')
  })

  stillThere(
    'opens a link that was signed before, and goes on with every session that was open',
    async () => {
      await submit(program.caller, await open(program.caller, contents.freshLink))
      for (const { name: which, ...session } of contents.open) {
        const { bearer } = session
        expect(await program.caller.call(getSession, { bearer })).toMatchObject({
          state: expect.stringMatching(/Created|Started/),
        })
        if (which === 'begun') await step(program.caller, session, 0)
        if (which === 'opened') await showPhotograph(program.caller, session)
        else await submit(program.caller, session)
        const query = { verificationSessionId: session.sessionId }
        const { verificationResult } = await program.caller.call(getSessionResult, { query })
        expect([which, verificationResult]).toEqual([which, expect.stringMatching(/Pass|Fail/)])
      }
    },
    longerThanAStart,
  )

  stillThere(
    'takes a capture on a plan that was drawn before, and pairs a device by a code that waits',
    async () => {
      const server = { ...program.caller, now }
      const device = await deviceOf(contents.kiosk)
      const plan = device.plans[0]!
      const asked = Array.from({ length: 1 + planOf(plan).actionCount }, async (_, challengeStep) => ({
        ...(await nextFrame()),
        time: challengeStep * 3000 + 1500,
        challengeStep,
      }))
      const capture = captureOf(device, now(), { plan, sequence: 2, frames: await Promise.all(asked) })
      expect(await handIn(server, device, capture)).toMatchObject({ verificationResult: 'Fail' })
      const { publicJwk: publicKey } = await newDeviceKey()
      const { pairingCode } = contents
      await server.call(pairKiosk, { body: { pairingCode, publicKey } })
    },
    longerThanAStart,
  )

  stillThere(
    'keeps its deliveries, and leaves none pending',
    async () => {
      for (const { deliveryId, state } of contents.deliveries)
        await vi.waitFor(async () => {
          const { deliveries } = await program.caller.call(getDeliveries, { query: { limit: 100 } })
          // The program that made the store may have given it up while it stopped.
          const expected = state === 'pending' ? expect.stringMatching(/^(delivered|failed)$/) : state
          expect(deliveries.find((one) => one.deliveryId === deliveryId)).toMatchObject({
            state: expected,
            event: 'VerificationCompleted',
          })
        }, longerThanAStart)
    },
    2 * longerThanAStart,
  )

  lasting(
    'starts without a complaint, also a second time',
    async () => {
      expect(program.isAlive()).toBe(true)
      expect(complaintsIn(program.log)).toEqual([])
      await program.stop()
      program = await begin()
      expect((await program.caller.call(getKeys, {})).keys).toHaveLength(contents.keys.length)
      expect(complaintsIn(program.log)).toEqual([])
    },
    longerThanAStart,
  )

  function verificationOf(wanted: string) {
    return contents.verifications.find((one) => one.name === wanted)!
  }
})

async function deviceOf(kept: Omit<StoredKiosk, 'captured'>): Promise<Device> {
  const { kioskId, issuer, sealingKey, plans } = kept
  const privateKey = await importJWK(kept.privateKey, 'ES256')
  const { kty, crv, x, y } = kept.privateKey
  const key = { privateKey, publicJwk: { kty, crv, x, y } }
  return { kioskId, issuer, sealingKey, plans: [...plans], key } as unknown as Device
}
