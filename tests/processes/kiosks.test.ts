import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Awaitable, Store } from '#server/platform/store/store.ts'
import { getDeliveries } from '#shared/contract/account/webhook.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { createKiosk, getAllKiosks, revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { pairKiosk, submitKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { isLong, some } from '../../e2e/support/length.ts'
import { type Host, startHost } from '../support/host.ts'
import {
  assertionOf,
  captureOf,
  type Device,
  exchange,
  handIn,
  newDeviceKey,
  pairDevice,
  seal,
  send,
  sync,
  tokenOf,
} from '../support/kiosk-device.ts'
import { endOf, type ProcessGroup, startProcessGroup } from '../support/programs/process-group.ts'
import { type Received, startReceiver } from '../support/programs/receiver.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import { type ServerProcess, startProcess } from '../support/programs/server-process.ts'
import { describeOnSharedStores } from '../support/stores.ts'
import { newVerification, problemOf } from '../support/visit.ts'

const origin = () => 'http://127.0.0.1:1'
const ports = { origin, issuer: origin }
const live = {
  verifierConfigs: { liveness: { type: 'Verification' as const, evidence: 'optional' as const } },
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function hostOn(store: Store): Promise<Host> {
  const host = await startHost({ store, ports })
  closers.push(host.close)
  return host
}

/** A store that kills its process right before or right after the n-th commit. */
function mortal(store: Store) {
  let commitsLeft = Number.POSITIVE_INFINITY
  let diesAfter = false
  let isDead = false
  const refuseDead = () => {
    if (isDead) throw new Error('killed')
  }
  const alive =
    <A extends unknown[], R>(work: (...given: A) => Awaitable<R>) =>
    async (...given: A): Promise<R> => {
      refuseDead()
      return work(...given)
    }
  const killing: Store = {
    ...store,
    get: alive(store.get),
    put: alive(store.put),
    putIfAbsent: alive(store.putIfAbsent),
    remove: alive(store.remove),
    commit: async (writes, guards) => {
      refuseDead()
      const isLast = commitsLeft-- === 0
      if (isLast && !diesAfter) isDead = true
      refuseDead()
      const done = await store.commit(writes, guards)
      if (isLast) isDead = true
      refuseDead()
      return done
    },
  }
  const kill = (afterCommits: number, when: 'before' | 'after') => {
    commitsLeft = afterCommits
    diesAfter = when === 'after'
  }
  return { store: killing, kill, isDead: () => isDead }
}

/** A verification with a webhook, and a device paired for it. */
async function deskWithHook(host: Host, apiKey = host.apiKey) {
  const receiver = await startReceiver()
  closers.push(receiver.close)
  const body = {
    name: receiver.address,
    verificationConfig: { ...live, webhookConfig: { eventCallbackUrl: receiver.address } },
  }
  const { verificationId } = await host.call(createVerification, { body, apiKey })
  return { receiver, device: await pairDevice(host, verificationId, apiKey) }
}

async function receivedBy(host: Host, { kioskId }: Device): Promise<number | undefined> {
  const { kiosks } = await host.call(getAllKiosks, {})
  return kiosks.find((kiosk) => kiosk.kioskId === kioskId)?.receivedCount
}

function idsOf(received: readonly Received[]): string[] {
  return received.map(({ headers }) => String(headers['webhook-id']))
}

describeOnSharedStores('a capture that is sent to two processes', (shared) => {
  test('twenty times at once becomes one session, is judged once and reported once', async () => {
    const one = await hostOn(await shared.open())
    const two = await hostOn(await shared.open())
    const { device, receiver } = await deskWithHook(one)
    const capture = captureOf(device, one.now())
    const body = { captureId: capture.captureId, sealed: await seal(device, capture) }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => send(i % 2 === 0 ? one : two, device, body)),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.verificationResult).toBe('Pass')
    // Each picture once, and one of them a second time to count other faces.
    expect(one.analysis.calls + two.analysis.calls).toBe(capture.frames.length + 1)
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(await receivedBy(one, device)).toBe(1)
  })

  test('with others at once, and during status reports of the kiosk, is counted once', async () => {
    const one = await hostOn(await shared.open())
    const two = await hostOn(await shared.open())
    const device = await pairDevice(one, await newVerification(one, live))
    await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        await handIn(i % 2 === 0 ? one : two, device, captureOf(device, one.now()))
        await sync(i % 2 === 0 ? two : one, device, { queued: i })
      }),
    )
    expect(await receivedBy(one, device)).toBe(8)
  })

  test('with one sequence for several captures is accepted once', async () => {
    const one = await hostOn(await shared.open())
    const two = await hostOn(await shared.open())
    const device = await pairDevice(one, await newVerification(one, live))
    const captures = Array.from({ length: 8 }, () => captureOf(device, one.now(), { sequence: 7 }))
    const codes = await Promise.all(
      captures.map((capture, i) =>
        handIn(i % 2 === 0 ? one : two, device, capture).then(
          () => 'taken',
          (error) => error.code,
        ),
      ),
    )
    expect(codes.filter((code) => code === 'taken')).toHaveLength(1)
    expect(codes.filter((code) => code === 'sequence_used')).toHaveLength(7)
  })

  test.each(some(['after', 'before'] as const))(
    'the first of which is killed %s any of its commits is decided once by the second',
    async (when) => {
      const survivor = await hostOn(await shared.open())
      const beneath = await shared.open()
      const { device, receiver } = await deskWithHook(survivor)
      let deaths = 0
      let passed = 0
      for (let commits = 0; ; commits++) {
        const { store, kill, isDead } = mortal(beneath)
        const victim = await hostOn(store)
        // Both use the same clock, because tokens from the future are rejected.
        victim.pass(passed)
        const capture = captureOf(device, Date.now())
        const body = { captureId: capture.captureId, sealed: await seal(device, capture) }
        const bearer = await tokenOf(survivor, device)
        kill(commits, when)
        const first = await send({ ...victim, call: withBearer(victim, bearer) }, device, body).catch(
          () => undefined,
        )
        // Waits until the killed process's lease expires.
        survivor.pass(31_000)
        passed += 31_000
        const second = await send(survivor, device, body)
        expect(second.verificationResult).toBe('Pass')
        if (first !== undefined) expect(second).toEqual(first)
        const { verificationSessionId } = second
        const query = { verificationSessionId }
        expect((await survivor.call(getSessionResult, { query })).kiosk?.captureId).toBe(body.captureId)
        const { deliveries } = await survivor.call(getDeliveries, { query })
        expect(deliveries).toHaveLength(1)
        if (!isDead()) break
        deaths++
      }
      expect(deaths).toBeGreaterThan(3)
      expect(await receivedBy(survivor, device)).toBe(deaths + 1)
      expect(new Set(idsOf(receiver.received)).size).toBe(receiver.received.length)
    },
    120_000,
  )
})

describeOnSharedStores('a kiosk that talks to two processes', (shared) => {
  const both = async () => [await hostOn(await shared.open()), await hostOn(await shared.open())] as const

  test('is paired with one of the devices that try at the same time', async () => {
    const [one, two] = await both()
    const body = { name: 'Desk', verificationId: await newVerification(one, live) }
    const { pairingCode } = await one.call(createKiosk, { body })
    const codes = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const { publicJwk: publicKey } = await newDeviceKey()
        return problemOf((i % 2 === 0 ? one : two).call(pairKiosk, { body: { pairingCode, publicKey } }))
      }),
    )
    expect(codes.filter((code) => code === 'no problem')).toHaveLength(1)
    expect(codes.filter((code) => code === 'pairing_expired')).toHaveLength(7)
  })

  test('gets a token for an assertion at one of them, and at no other', async () => {
    const [one, two] = await both()
    const device = await pairDevice(one, await newVerification(one, live))
    const assertion = await assertionOf(device, one.now())
    expect(await problemOf(exchange(one, assertion))).toBe('no problem')
    expect(await problemOf(exchange(two, assertion))).toBe('unauthenticated')
  })

  test('is off at both as soon as one of them switches it off', async () => {
    const [one, two] = await both()
    const device = await pairDevice(one, await newVerification(one, live))
    await handIn(two, device, captureOf(device, one.now()))
    await one.call(revokeKiosk, { query: { kioskId: device.kioskId } })
    expect(await problemOf(handIn(two, device, captureOf(device, one.now())))).toBe('kiosk_revoked')
    expect(await problemOf(sync(two, device))).toBe('kiosk_revoked')
  })
})

/** Makes calls with an existing token, so that no commit is needed for one. */
function withBearer(host: Host, bearer: string): Host['call'] {
  return (endpoint, args) =>
    endpoint.auth === 'kiosk'
      ? host.call(endpoint, { ...args, bearer })
      : Promise.resolve({ access_token: bearer } as never)
}

const astronaut = new URL('../support/pictures/astronaut.png', import.meta.url)

const kinds = [
  ['a Redis server', 'redis'],
  ['a folder', 'lmdb'],
] as const

const describeLong = isLong ? describe : undefined

describeLong?.each(kinds)('a real picture from a kiosk, two processes on %s', (_name, kind) => {
  const isMissing = kind === 'redis' && !hasRedisServer
  const needs = isMissing ? needsRedisServer : ''
  let redis: RedisServer | undefined
  let group: ProcessGroup
  const started: ServerProcess[] = []
  beforeAll(async () => {
    if (isMissing) return
    if (kind === 'redis') redis = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always'])
    group = await startProcessGroup(2, redis === undefined ? {} : { STORE: redis.address })
    await group.ready()
  }, 240_000)
  afterAll(async () => {
    await Promise.all(started.map(endOf))
    await group?.stop()
    await redis?.stop()
  })

  async function pictures(device: Device) {
    const png = await readFile(astronaut)
    const shots = [70, 80, 90].map((quality) => sharp(png).jpeg({ quality }).toBuffer())
    const frames = (await Promise.all(shots)).map((jpeg, i) => ({
      bytes: jpeg.toString('base64'),
      time: 100 * i,
      challengeStep: 0,
    }))
    return captureOf(device, Date.now(), { plan: null, frames, answer: { result: 'Fail', estimatedAge: 12 } })
  }

  test.skipIf(isMissing)(
    `is judged once, even if the judging process is killed${needs}`,
    async () => {
      const age = {
        type: 'ThresholdVerification' as const,
        thresholdConfig: { threshold: 18, direction: 'Above' as const },
      }
      const body = { name: `kiosk on ${kind}`, verificationConfig: { verifierConfigs: { age } } }
      const { verificationId } = await group.call(createVerification, { body })
      const [victim, survivor] = group.processes as [ServerProcess, ServerProcess]
      // Assertions name the address that the device was paired with, so it gets its token there.
      const { apiKey } = group
      const call: ServerProcess['call'] = (endpoint, args) => victim.call(endpoint, { ...args, apiKey })
      const server = { call, now: Date.now }
      const device = await pairDevice(server, verificationId)
      const capture = await pictures(device)
      const sent = { captureId: capture.captureId, sealed: await seal(device, capture) }
      const bearer = await tokenOf(server, device)
      const lost = victim.call(submitKiosk, { bearer, body: sent }).catch(() => undefined)
      await pause(150)
      await victim.stop('SIGKILL')
      const early = await lost
      const answer = await survivor.call(submitKiosk, { bearer, body: sent })
      if (early !== undefined) expect(answer).toEqual(early)
      expect(answer).toMatchObject({ verificationResult: 'Pass', differs: true })
      const query = { verificationSessionId: answer.verificationSessionId }
      const result = await survivor.call(getSessionResult, { query, apiKey: group.apiKey })
      expect(result.estimatedAge).toBeGreaterThan(18)
      expect(result.kiosk).toMatchObject({ captureId: capture.captureId, differs: true })
      const again = await startProcess(group.environment())
      started.push(again)
      expect(await again.call(submitKiosk, { bearer, body: sent })).toEqual(answer)
      const { kiosks } = await again.call(getAllKiosks, { apiKey: group.apiKey })
      expect(kiosks[0]?.receivedCount).toBe(1)
    },
    240_000,
  )
})
