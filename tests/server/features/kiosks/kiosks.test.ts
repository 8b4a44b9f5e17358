import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { deleteVerification, updateVerification } from '#shared/contract/configuration/verification.ts'
import type { FaceRecognitionType } from '#shared/contract/configuration/verification-config.ts'
import { createKiosk, getAllKiosks, revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { assertionGrant, type KioskCapture } from '#shared/contract/kiosk/kiosk-capture.ts'
import { pairKiosk, submitKiosk, syncKiosk, tokenKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import { searchCandidates, updateFace } from '#shared/contract/recognition/named-faces.ts'
import { actions, limits } from '#shared/contract/sessions/session.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { type Fault, Problem } from '#shared/problem.ts'
import { fakeJpeg } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import {
  assertionOf,
  captureOf,
  type Device,
  handIn,
  newDeviceKey,
  pairDevice,
  planOf,
  seal,
  send,
  sync,
  tokenOf,
} from '../../../support/kiosk-device.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { newVerification, problemOf } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost({ ports: { passkeyRoots: [] } })
})
afterAll(() => host.close())

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const minute = 60_000
const day = 24 * 60 * minute
/** Drawn captures have no film. */
const liveness = { type: 'Verification' as const, evidence: 'optional' as const }
const live = { verifierConfigs: { liveness } }
const advanced = { verifierConfigs: { liveness: { ...liveness, challengeType: 'Advanced' as const } } }

const paired = async (config: object = live, on = host) => pairDevice(on, await newVerification(on, config))

/** A host with a clock that can be set. */
async function ownHost(options = {}): Promise<Host> {
  const own = await startHost(options)
  closers.push(own.close)
  return own
}

const resultOf = (verificationSessionId: string, on = host) =>
  on.call(getSessionResult, { query: { verificationSessionId } })

const listed = async (kioskId: string, on = host) =>
  (await on.call(getAllKiosks, {})).kiosks.find((kiosk) => kiosk.kioskId === kioskId)

/** Submits a capture. Returns the answer along with the result that the integrator reads. */
async function visit(device: Device, given: Parameters<typeof captureOf>[2] = {}, on = host) {
  const capture = captureOf(device, on.now(), given)
  const sent = { captureId: capture.captureId, sealed: await seal(device, capture) }
  const answer = await send(on, device, sent)
  return { capture, sent, answer, result: await resultOf(answer.verificationSessionId, on) }
}

describe('POST /v1/kiosk/create', () => {
  test('returns a code of 50 bits for 15 minutes, in the fragment of the address', async () => {
    const body = { name: 'Desk', verificationId: await newVerification(host) }
    const { pairingCode, pairingUrl, pairingExpirationUtcTime } = await host.call(createKiosk, { body })
    expect(pairingCode).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(pairingUrl).toBe(`${host.origin}/kiosk#${pairingCode.replace('-', '')}`)
    expect(Math.round((Date.parse(pairingExpirationUtcTime) - host.now()) / minute)).toBe(15)
  })
})

describe('a verification that needs an external id', () => {
  const config = (type: FaceRecognitionType) => ({ verifierConfigs: { faceRecognition: { type } } })

  test.each([
    ['MatchVerification', ['#/verificationId']],
    ['UniqueMatchVerification', ['#/verificationId']],
    ['DuplicateVerification', []],
    ['CalculationOnly', []],
    ['Disabled', []],
  ] as const)('is refused when a kiosk is created: %s', async (type, pointers) => {
    const verificationId = await newVerification(host, config(type))
    const made = await host.call(createKiosk, { body: { name: 'Desk', verificationId } }).catch((e) => e)
    expect((made.errors ?? []).map(({ pointer }: Fault) => pointer)).toEqual(pointers)
    if (pointers.length > 0) expect(made.errors[0].message).toMatch(/^externalIdMissing: /)
  })

  test('which it did not when its kiosk was created, keeps the kiosk running but lets no visit pass', async () => {
    const { verificationId } = (await paired()).configuration
    const { pairingCode } = await host.call(createKiosk, { body: { name: 'Desk', verificationId } })
    const verificationConfig = config('MatchVerification')
    await host.call(updateVerification, { body: { verificationId, verificationConfig } })
    const key = await newDeviceKey()
    const answer = await host.call(pairKiosk, { body: { pairingCode, publicKey: key.publicJwk } })
    const device = { ...answer, key, pairingCode }
    await sync(host, device)
    const { result } = await visit(device, { plan: null })
    expect(result.verificationFailedReasons).toEqual(['externalIdMissing'])
  })
})

describe('a verification that compares with a reference picture', () => {
  test.each(['CalculationOnly', 'Verification'] as const)(
    'is refused when a kiosk is created: %s',
    async (type) => {
      const verificationId = await newVerification(host, { verifierConfigs: { reference: { type } } })
      const made = await host.call(createKiosk, { body: { name: 'Desk', verificationId } }).catch((e) => e)
      expect(made.errors).toEqual([
        { pointer: '#/verificationId', message: expect.stringMatching(/^referenceMismatch: /) },
      ])
    },
  )

  test('which it did not when its kiosk was created, keeps the kiosk running but lets no visit pass', async () => {
    const device = await paired()
    const { verificationId } = device.configuration
    const verificationConfig = { verifierConfigs: { reference: { type: 'Verification' as const } } }
    await host.call(updateVerification, { body: { verificationId, verificationConfig } })
    await sync(host, device)
    expect((await visit(device)).result).toMatchObject({
      verificationFailedReasons: ['referenceMismatch'],
      referenceResult: 'Fail',
      referenceSimilarity: null,
    })
  })
})

describe('a verification that requires assurance', () => {
  const config = (
    leastAssurance: 'low' | 'standard' | 'high',
    faceRecognition = 'Disabled' as FaceRecognitionType,
  ) => ({
    verifierConfigs: {
      liveness: {
        ...liveness,
        evidence: leastAssurance === 'low' ? ('optional' as const) : ('required' as const),
        leastAssurance,
      },
      faceRecognition: { type: faceRecognition },
    },
  })

  test.each([
    ['low', []],
    ['standard', [expect.stringMatching(/^assuranceTooLow: /)]],
    ['high', [expect.stringMatching(/^assuranceTooLow: /)]],
  ] as const)('is refused when a kiosk is created, unless it is low: %s', async (least, messages) => {
    const verificationId = await newVerification(host, config(least))
    const made = await host.call(createKiosk, { body: { name: 'Desk', verificationId } }).catch((e) => e)
    expect((made.errors ?? []).map(({ message }: Fault) => message)).toEqual(messages)
  })

  test('gets every reason why it cannot have a kiosk', async () => {
    const verificationId = await newVerification(host, config('high', 'MatchVerification'))
    const made = await host.call(createKiosk, { body: { name: 'Desk', verificationId } }).catch((e) => e)
    expect(made.errors).toHaveLength(2)
  })

  test('which it did not when its kiosk was created, keeps the kiosk running but lets no visit pass', async () => {
    const device = await paired()
    const { verificationId } = device.configuration
    expect((await visit(device)).result).toMatchObject({ verificationResult: 'Pass', assurance: 'low' })
    await host.call(updateVerification, { body: { verificationId, verificationConfig: config('standard') } })
    await sync(host, device)
    expect((await visit(device)).result).toMatchObject({
      verificationResult: 'Fail',
      verificationFailedReasons: ['evidenceMissing', 'assuranceTooLow'],
      assurance: 'low',
    })
  })
})

describe('GET /v1/kiosk/get-all', () => {
  test('lists the kiosks of the account, the oldest first, and of no other', async () => {
    const own = await ownHost()
    const first = await paired(live, own)
    own.pass(10)
    const second = await paired(live, own)
    const { apiKey } = await own.services.accounts.create('Another')
    expect((await own.call(getAllKiosks, {})).kiosks.map(({ kioskId }) => kioskId)).toEqual([
      first.kioskId,
      second.kioskId,
    ])
    expect((await own.call(getAllKiosks, { apiKey })).kiosks).toEqual([])
  })

  test('shows the state of each kiosk', async () => {
    const body = { name: 'Hall', verificationId: await newVerification(host), locale: 'de-AT' }
    const { kioskId, pairingCode } = await host.call(createKiosk, { body })
    expect(await listed(kioskId)).toMatchObject({
      ...body,
      state: 'Created',
      pairedUtcTime: null,
      lastSeenUtcTime: null,
      queued: null,
      lastSequence: null,
      clockDriftInSeconds: null,
      clockIsOff: false,
      receivedCount: 0,
    })
    await host.call(pairKiosk, { body: { pairingCode, publicKey: (await newDeviceKey()).publicJwk } })
    const after = await listed(kioskId)
    expect(after?.state).toBe('Paired')
    expect(after?.pairedUtcTime).not.toBeNull()
    expect(after?.lastSeenUtcTime).not.toBeNull()
    await host.call(revokeKiosk, { query: { kioskId } })
    expect((await listed(kioskId))?.state).toBe('Revoked')
  })

  test("shows the device's report, and counts arrived captures", async () => {
    const device = await paired()
    await visit(device)
    const storage = { usedBytes: 5, quotaBytes: 10 }
    await sync(host, device, { queued: 3, lastSequence: 9, storage })
    expect(await listed(device.kioskId)).toMatchObject({
      queued: 3,
      lastSequence: 9,
      storage,
      receivedCount: 1,
    })
  })

  test('shows to the minute when a kiosk was seen, and writes no more often than that', async () => {
    const own = await ownHost()
    const device = await paired(live, own)
    const lastSeen = async () => Date.parse((await listed(device.kioskId, own))!.lastSeenUtcTime!)
    const first = await lastSeen()
    const written = vi.spyOn(own.store, 'commit')
    const notes = () =>
      written.mock.calls.filter(([writes]) => writes.every(({ key }) => key.startsWith('kiosk-report/')))
        .length
    for (let i = 0; i < 3; i++) await visit(device, {}, own)
    expect(notes()).toBe(0)
    expect(await lastSeen()).toBe(first)
    own.pass(minute)
    const { sent } = await visit(device, {}, own)
    expect(notes()).toBe(1)
    expect(Math.abs((await lastSeen()) - own.now())).toBeLessThan(10_000)
    own.pass(minute)
    await send(own, device, sent)
    expect(notes()).toBe(2)
    await sync(own, device, { queued: 4 })
    expect(await listed(device.kioskId, own)).toMatchObject({ queued: 4, receivedCount: 4 })
  })

  test('a capture that arrived waits no longer, even before the next report', async () => {
    const device = await paired()
    await sync(host, device, { queued: 2 })
    const waiting = async () => (await listed(device.kioskId, host))?.queued
    await visit(device)
    expect(await waiting()).toBe(1)
    for (let i = 0; i < 2; i++) await visit(device)
    expect(await waiting()).toBe(0)
  })

  test.each([
    [300, false],
    [302, true],
    [-300, false],
    [-302, true],
  ])('flags a clock that is %i seconds ahead: %s', async (seconds, clockIsOff) => {
    const device = await paired()
    await sync(host, device, { clockUtcTime: new Date(host.now() + seconds * 1000).toISOString() })
    const told = await listed(device.kioskId)
    expect(Math.abs(told!.clockDriftInSeconds! - seconds)).toBeLessThanOrEqual(1)
    expect(told!.clockIsOff).toBe(clockIsOff)
  })
})

describe('POST /v1/kiosk/pair', () => {
  test('returns the same kiosk to the same key again, with fresh plans', async () => {
    const device = await paired()
    const body = { pairingCode: device.pairingCode, publicKey: device.key.publicJwk }
    const again = await host.call(pairKiosk, { body })
    expect(again.kioskId).toBe(device.kioskId)
    expect(again.plans).toHaveLength(200)
    expect(again.plans.filter((plan) => device.plans.includes(plan))).toEqual([])
  })

  test('refuses another key once a device is paired', async () => {
    const { pairingCode } = await paired()
    const body = { pairingCode, publicKey: (await newDeviceKey()).publicJwk }
    expect(await problemOf(host.call(pairKiosk, { body }))).toBe('pairing_expired')
  })

  test('pairs one of several devices that try at once', async () => {
    const verificationId = await newVerification(host)
    const { pairingCode } = await host.call(createKiosk, { body: { name: 'Desk', verificationId } })
    const codes = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const body = { pairingCode, publicKey: (await newDeviceKey()).publicJwk }
        return problemOf(host.call(pairKiosk, { body }))
      }),
    )
    expect(codes.filter((code) => code === 'no problem')).toHaveLength(1)
    expect(codes.filter((code) => code === 'pairing_expired')).toHaveLength(9)
  })

  test.each([
    [14.9, 'no problem'],
    [15.1, 'pairing_expired'],
  ])('with a code that is %f minutes old: %s', async (minutes, expected) => {
    const own = await ownHost()
    const verificationId = await newVerification(own)
    const { pairingCode } = await own.call(createKiosk, { body: { name: 'Desk', verificationId } })
    own.pass(minutes * minute)
    const body = { pairingCode, publicKey: (await newDeviceKey()).publicJwk }
    expect(await problemOf(own.call(pairKiosk, { body }))).toBe(expected)
  })

  test('refuses the code of a kiosk that was switched off', async () => {
    const body = { name: 'Desk', verificationId: await newVerification(host) }
    const { kioskId, pairingCode } = await host.call(createKiosk, { body })
    await host.call(revokeKiosk, { query: { kioskId } })
    const { publicJwk: publicKey } = await newDeviceKey()
    expect(await problemOf(host.call(pairKiosk, { body: { pairingCode, publicKey } }))).toBe(
      'pairing_expired',
    )
  })

  test('prevents guessing: after five wrong codes even the right one has to wait 15 minutes', async () => {
    const own = await ownHost({ ports: { attemptLimit: 5 } })
    const verificationId = await newVerification(own)
    const { publicJwk: publicKey } = await newDeviceKey()
    const { pairingCode } = await own.call(createKiosk, { body: { name: 'Desk', verificationId } })
    const pair = (code: string) => problemOf(own.call(pairKiosk, { body: { pairingCode: code, publicKey } }))
    for (let tries = 0; tries < 5; tries++) expect(await pair('K7M4P-9QXDT')).toBe('unauthenticated')
    expect(await pair(pairingCode)).toBe('too_many_requests')
    own.pass(14 * minute)
    expect(await pair(pairingCode)).toBe('too_many_requests')
    own.pass(minute + 1000)
    expect(await pair(pairingCode)).toBe('pairing_expired')
  })

  test('returns the configuration that the device needs', async () => {
    const age = {
      type: 'ThresholdVerification' as const,
      thresholdConfig: { threshold: 18, direction: 'Above' as const, marginInYears: 7 },
    }
    const emotion = { type: 'CalculationOnly' as const, purpose: 'To see whether you smile.' }
    const { configuration } = await paired({
      verifierConfigs: {
        liveness: { ...liveness, allowAlternative: true, allowPassiveOffline: true },
        age,
        emotion,
        commonSettings: { failOnMultipleFacesDetected: true },
      },
    })
    expect(configuration).toMatchObject({
      ageRule: { type: 'ThresholdVerification', threshold: 18, direction: 'Above', marginInYears: 7 },
      emotionPurpose: 'To see whether you smile.',
      failOnMultipleFaces: true,
      allowAlternative: true,
      allowPassive: true,
      stepTimeLimitInSeconds: 10,
      capturePlan: {
        challenge: { type: 'Balanced', actionCount: 1 },
        verifiers: { liveness: true, age: true, emotion: true, gender: false, faceRecognition: false },
      },
    })
  })

  test('omits what the configuration does not use', async () => {
    const { configuration, plans } = await paired({})
    expect(configuration).toMatchObject({
      ageRule: null,
      emotionPurpose: null,
      allowPassive: false,
      allowAlternative: false,
      capturePlan: { challenge: null },
    })
    expect(plans).toEqual([])
  })
})

describe('a plan', () => {
  test('contains the actions of the configuration, and spare ones', async () => {
    const own = await ownHost({ ports: { challengeActions: actions } })
    const { plans, kioskId, issuer, configuration } = await paired(advanced, own)
    const claims = plans.map(planOf)
    for (const plan of claims) {
      expect(plan).toMatchObject({
        sub: kioskId,
        iss: issuer,
        verificationId: configuration.verificationId,
        actionCount: 3,
        challengeType: 'Advanced',
      })
      expect(plan.actions).toHaveLength(8)
      expect(new Set(plan.actions.slice(0, 6)).size).toBe(6)
      expect(plan.actions.some((action, i) => i > 0 && action === plan.actions[i - 1])).toBe(false)
      expect(plan.exp - plan.iat).toBe(30 * 24 * 3600)
    }
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(200)
    expect(new Set(claims.map((plan) => plan.actions[0]))).toEqual(
      new Set(['turnLeft', 'turnRight', 'lookUp']),
    )
  })
})

describe('POST /v1/kiosk/token', () => {
  const form = 'application/x-www-form-urlencoded'
  const grant = `grant_type=${encodeURIComponent(assertionGrant)}`
  const ask = async (body: string, type = form) => {
    const headers = { 'content-type': type }
    const answer = await host.fetch(tokenKiosk.path, { method: 'POST', headers, body })
    return { status: answer.status, body: await answer.json() }
  }

  test.each([form, `${form}; charset=UTF-8`])('accepts an assertion as %s', async (type) => {
    const device = await paired()
    const assertion = await assertionOf(device, host.now())
    const { body } = await ask(`${grant}&assertion=${assertion}&client_id=desk`, type)
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'kiosk' })
    const clockUtcTime = new Date(host.now()).toISOString()
    const told = { clockUtcTime, queued: 0, unusedPlanCount: 200, lastSequence: 0 }
    expect(await problemOf(host.call(syncKiosk, { bearer: body.access_token, body: told }))).toBe(
      'no problem',
    )
  })

  test.each([
    ['nothing', '', ['#']],
    ['nothing of use', 'scope=kiosk', ['#/grant_type', '#/assertion']],
    ['no assertion', grant, ['#/assertion']],
    ['an assertion without a value', `${grant}&assertion=`, ['#/assertion']],
    ['two assertions', `${grant}&assertion=a&assertion=b`, ['#/assertion']],
    ['another grant', 'grant_type=password&assertion=a', ['#/grant_type']],
    ['what is no UTF-8', `${grant}&assertion=%ff`, ['#']],
    ['a name of every object', `${grant}&__proto__=a`, ['#/assertion']],
  ])('refuses a form with %s', async (_name, body, pointers) => {
    const answer = await ask(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ pointer }: Fault) => pointer)).toEqual(pointers)
  })

  test('reads no more than 64 kB of a stranger', async () => {
    expect((await ask(`${grant}&assertion=${'a'.repeat(65_536)}`)).status).toBe(413)
  })

  test('names the expected form in its error', async () => {
    const { status, body } = await ask('<a/>', 'text/xml')
    expect(status).toBe(415)
    expect(body.detail).toContain(form)
  })
})

describe('POST /v1/kiosk/sync', () => {
  test.each([
    [0, 200],
    [150, 50],
    [199, 1],
    [200, 0],
    [500, 0],
  ])('with %i plans left fills up with %i', async (unusedPlanCount, expected) => {
    const device = await paired()
    const { plans, utcTime, sealingKey } = await sync(host, device, { unusedPlanCount })
    expect(plans).toHaveLength(expected)
    expect(sealingKey).toEqual(device.sealingKey)
    expect(Math.abs(Date.parse(utcTime) - host.now())).toBeLessThan(5000)
  })

  test('returns the current configuration', async () => {
    const device = await paired()
    const { verificationId } = device.configuration
    await host.call(updateVerification, { body: { verificationId, verificationConfig: advanced } })
    const { configuration } = await sync(host, device)
    expect(configuration.capturePlan.challenge).toEqual({ type: 'Advanced', actionCount: 3 })
  })
})

describe('POST /v1/kiosk/submit', () => {
  test.each([
    ['Balanced', live],
    ['Advanced', advanced],
  ])('passes a person who follows the plan: %s', async (_name, config) => {
    const device = await paired(config)
    const { answer, capture, result } = await visit(device)
    expect(answer).toEqual({
      captureId: capture.captureId,
      verificationSessionId: expect.any(String),
      verificationResult: 'Pass',
      differs: false,
    })
    expect(result).toMatchObject({
      verificationResult: 'Pass',
      livenessVerificationResult: 'Pass',
      capturedAt: capture.capturedAt,
      kiosk: {
        kioskId: device.kioskId,
        captureId: capture.captureId,
        clockDriftInSeconds: 0,
        answer: { result: 'Pass' },
        differs: false,
      },
    })
  })

  test.each([
    ['Pass', 'Pass', false],
    ['Fail', 'Pass', true],
    ['Pending', 'Pass', false],
    ['Pass', 'Fail', true],
    ['Fail', 'Fail', false],
    ['Pending', 'Fail', false],
  ] as const)('decided %s on the spot and %s by the server differs: %s', async (told, verdict, differs) => {
    const device = await paired()
    const capture = captureOf(device, host.now(), {
      answer: { result: told },
      ...(verdict === 'Fail' && { scenes: [[{ person: 'anna' }], [{ person: 'anna' }]] }),
    })
    const answer = await handIn(host, device, capture)
    expect(answer).toMatchObject({ verificationResult: verdict, differs })
    expect((await resultOf(answer.verificationSessionId)).kiosk?.differs).toBe(differs)
  })

  test('judges the pictures against the plan, whatever the device claims', async () => {
    const device = await paired()
    const plan = planOf(device.plans[0]!)
    const other = actions.find((action) => action !== plan.actions[0])!
    const capture = captureOf(device, host.now(), {
      scenes: [[{ person: 'anna' }], [{ person: 'anna', acted: other }]],
    })
    const steps = capture.steps.map((step) => ({ ...step, action: step.action && other }))
    const { verificationResult, verificationSessionId } = await handIn(host, device, { ...capture, steps })
    expect(verificationResult).toBe('Fail')
    expect((await resultOf(verificationSessionId)).verificationFailedReasons).toEqual(['challengeFailed'])
  })

  const step = (number: number, rest: Partial<KioskCapture['steps'][number]> = {}) => ({
    step: number,
    action: null,
    accepted: true,
    startedAt: number * 3000,
    endedAt: number * 3000 + 2000,
    ...rest,
  })

  test('accepts one failed step that is repeated with the next action of the plan', async () => {
    const device = await paired()
    const [first, second] = planOf(device.plans[0]!).actions
    const { result } = await visit(device, {
      steps: [step(0), step(1, { action: first!, accepted: false }), step(2, { action: second! })],
      scenes: [[{ person: 'anna' }], [{ person: 'anna' }], [{ person: 'anna', acted: second! }]],
    })
    expect(result.verificationResult).toBe('Pass')
  })

  test.each([
    [true, 'Pass'],
    [false, 'Fail'],
  ])(
    'if alternatives are allowed: %s, another action is requested and named: %s',
    async (allowed, expected) => {
      const config = { verifierConfigs: { liveness: { ...liveness, allowAlternative: allowed } } }
      const device = await paired(config)
      const [, second] = planOf(device.plans[0]!).actions
      const { result } = await visit(device, {
        steps: [step(0), step(1, { action: second!, clockRestarts: 1, otherActions: 1 })],
        scenes: [[{ person: 'anna' }], [{ person: 'anna', acted: second! }]],
      })
      expect(result.verificationResult).toBe(expected)
      expect(result.alternativeAction).toBe(allowed ? second : undefined)
    },
  )

  test.each([
    [12, 0, 'Pass'],
    [12.1, 0, 'Fail'],
    [22, 1, 'Pass'],
    [22.1, 1, 'Fail'],
  ])(
    'a step of %f seconds with its clock restarted %i times: %s',
    async (seconds, clockRestarts, expected) => {
      const device = await paired()
      const [action] = planOf(device.plans[0]!).actions
      const { result } = await visit(device, {
        steps: [step(0), step(1, { action: action!, clockRestarts, endedAt: 3000 + seconds * 1000 })],
      })
      expect(result.verificationResult).toBe(expected)
    },
  )

  test.each([
    [undefined, 'Fail'],
    [false, 'Fail'],
    [true, 'Pass'],
  ])('without a plan, with allowPassiveOffline %s: %s', async (allowPassiveOffline, expected) => {
    const given = allowPassiveOffline === undefined ? {} : { allowPassiveOffline }
    const device = await paired({ verifierConfigs: { liveness: { ...liveness, ...given } } })
    const { result } = await visit(device, { plan: null })
    expect(result.verificationResult).toBe(expected)
  })

  test('keeps the plan that was issued, even if the configuration asks for more since', async () => {
    const device = await paired()
    const { verificationId } = device.configuration
    await host.call(updateVerification, { body: { verificationId, verificationConfig: advanced } })
    expect((await visit(device)).result.verificationResult).toBe('Pass')
  })

  test('analyses no picture without consent', async () => {
    const device = await paired()
    const before = host.analysis.calls
    const { result } = await visit(device, { consent: { given: false, wordingVersion: '1', locale: 'en' } })
    expect(result.verificationFailedReasons).toEqual(['consentDeclined'])
    expect(host.analysis.calls).toBe(before)
  })

  test('stores its face without a name, which a search finds and an operator can name', async () => {
    const config = { verifierConfigs: { liveness, faceRecognition: { type: 'CalculationOnly' as const } } }
    const verificationId = await newVerification(host, config)
    const { result } = await visit(await pairDevice(host, verificationId))
    const image = { bytes: Buffer.from(fakeJpeg({ person: 'anna' })).toString('base64') }
    const search = () => host.call(searchCandidates, { body: { image, collectionIds: [verificationId] } })
    const { candidates } = await search()
    expect(candidates).toMatchObject([
      { faceId: result.faceId, externalId: null, similarity: expect.any(Number) },
    ])
    const named = { collectionId: verificationId, faceId: result.faceId!, externalId: 'badge 12' }
    await host.call(updateFace, { body: named })
    expect((await search()).candidates).toMatchObject([{ faceId: result.faceId, externalId: 'badge 12' }])
    const erased = await host.call(deletePerson, { query: { externalId: 'badge 12' } })
    expect(erased.facesDeleted).toBe(1)
    expect((await search()).candidates).toEqual([])
  })

  test('recognises a picture of another session', async () => {
    const device = await paired()
    const { capture } = await visit(device)
    const next = captureOf(device, host.now())
    const reused = { ...next, frames: [...next.frames, { ...capture.frames[0]!, challengeStep: 0 }] }
    const { verificationSessionId } = await handIn(host, device, reused)
    expect((await resultOf(verificationSessionId)).verificationFailedReasons).toEqual(['livenessFailed'])
  })

  test('returns the same answer to the same id for 90 days, even when the session is gone', async () => {
    const own = await ownHost()
    const device = await paired(live, own)
    const capture = captureOf(device, own.now())
    const body = { captureId: capture.captureId, sealed: await seal(device, capture) }
    const first = await send(own, device, body)
    const calls = own.analysis.calls
    expect(await send(own, device, body)).toEqual(first)
    own.pass(89 * day)
    expect(await problemOf(resultOf(first.verificationSessionId, own))).toBe('not_found')
    expect(await send(own, device, body)).toEqual(first)
    expect(own.analysis.calls).toBe(calls)
    expect((await listed(device.kioskId, own))?.receivedCount).toBe(1)
  })

  test('counts the 7 days of the result from the arrival, and keeps the time of the capture', async () => {
    const own = await ownHost()
    const device = await paired(live, own)
    const capture = captureOf(device, own.now())
    own.pass(20 * day)
    const { verificationSessionId } = await handIn(own, device, capture)
    own.pass(6 * day)
    const { capturedAt, kiosk } = await resultOf(verificationSessionId, own)
    expect(capturedAt).toBe(capture.capturedAt)
    expect(Date.parse(kiosk!.receivedAt) - Date.parse(capturedAt!)).toBeGreaterThan(19 * day)
    own.pass(1.1 * day)
    expect(await problemOf(resultOf(verificationSessionId, own))).toBe('not_found')
  })

  test('opens captures that were sealed to a replaced key', async () => {
    const own = await ownHost()
    const device = await paired(live, own)
    const capture = captureOf(device, own.now())
    own.pass(100 * day)
    const { sealingKey } = await sync(own, device)
    expect(sealingKey.kid).not.toBe(device.sealingKey.kid)
    expect((await handIn(own, device, capture)).captureId).toBe(capture.captureId)
    own.pass(90 * day)
    expect(await problemOf(handIn(own, device, captureOf(device, own.now())))).toBe('capture_refused')
  })

  test.each([
    [89, 'Pass'],
    [91, 'Fail'],
  ])('a plan that is %i days old when its capture arrives: %s', async (days, expected) => {
    const own = await ownHost()
    const device = await paired(live, own)
    const capture = captureOf(device, own.now())
    own.pass(days * day)
    expect((await handIn(own, device, capture)).verificationResult).toBe(expected)
  })

  test('sends a webhook as for any session', async () => {
    const receiver = await startReceiver()
    closers.push(receiver.close)
    const device = await paired({ ...live, webhookConfig: { eventCallbackUrl: receiver.address } })
    const { answer } = await visit(device)
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(JSON.parse(receiver.received[0]!.body)).toEqual({
      event: 'VerificationCompleted',
      verificationSessionId: answer.verificationSessionId,
    })
  })

  test('refuses an undecodable picture, and leaves nothing of its session', async () => {
    const device = await paired()
    const capture = captureOf(device, host.now())
    const [first, ...rest] = capture.frames
    const empty = Buffer.from(first!.bytes, 'base64')
      .toString('latin1')
      .replace(/\{.*?\}/, (t) => ' '.repeat(t.length))
    const bytes = Buffer.from(empty, 'latin1').toString('base64')
    const broken = { ...capture, frames: [{ ...first!, bytes }, ...rest] }
    const body = { captureId: capture.captureId, sealed: await seal(device, broken) }
    const refusal = await send(host, device, body).catch((error) => error)
    expect(refusal).toMatchObject({
      code: 'capture_refused',
      errors: [{ pointer: '#/sealed/frames/0/bytes' }],
    })
    // The answer may have been lost on its way.
    expect(await problemOf(send(host, device, body))).toBe('capture_refused')
    const open: string[] = []
    for await (const { key } of host.store.list('open-session/')) open.push(key)
    expect(open).toEqual([])
  })

  test('stores no pictures', async () => {
    const own = await ownHost()
    const device = await paired(live, own)
    const capture = captureOf(device, own.now())
    await handIn(own, device, capture)
    const picture = Buffer.from(capture.frames[0]!.bytes, 'base64')
    for await (const { value } of own.store.list('')) {
      const bytes = Buffer.from(value)
      expect(bytes.includes(picture) || bytes.includes(capture.frames[0]!.bytes)).toBe(false)
    }
  })

  test('makes the kiosk wait if the verification is gone, and returns earlier decisions', async () => {
    const device = await paired()
    const { sent, answer } = await visit(device)
    const { verificationId } = device.configuration
    await host.call(deleteVerification, { query: { verificationId } })
    expect(await problemOf(handIn(host, device, captureOf(device, host.now())))).toBe(
      'verification_not_found',
    )
    expect(await send(host, device, sent)).toEqual(answer)
  })
})

describe('a capture during its judgement', () => {
  /** Runs a function while the first picture is being analysed. */
  function duringAnalysis(happens: () => Promise<unknown>) {
    const { analyse } = host.analysis
    const spied = vi.spyOn(host.analysis, 'analyse')
    closers.push(() => spied.mockRestore())
    spied.mockImplementationOnce(async (...given) => {
      await happens()
      return analyse.apply(host.analysis, given)
    })
  }

  const sealedOf = async (device: Device, capture = captureOf(device, host.now())) => ({
    captureId: capture.captureId,
    sealed: await seal(device, capture),
  })

  test('is decided even if its kiosk is switched off meanwhile; later captures are refused', async () => {
    const device = await paired()
    const { kioskId } = device
    const body = await sealedOf(device)
    duringAnalysis(() => host.call(revokeKiosk, { query: { kioskId } }))
    expect((await send(host, device, body)).verificationResult).toBe('Pass')
    expect(await problemOf(send(host, device, body))).toBe('kiosk_revoked')
    expect((await listed(kioskId))?.receivedCount).toBe(1)
  })

  test('passes by the rules that its verification had when it arrived', async () => {
    const device = await paired()
    const { verificationId } = device.configuration
    const body = { verificationId, verificationConfig: advanced }
    duringAnalysis(() => host.call(updateVerification, { body }))
    expect((await send(host, device, await sealedOf(device))).verificationResult).toBe('Pass')
  })

  test('is not decided if its verification is deleted meanwhile', async () => {
    const device = await paired()
    const { verificationId } = device.configuration
    duringAnalysis(() => host.call(deleteVerification, { query: { verificationId } }))
    expect(await problemOf(send(host, device, await sealedOf(device)))).toBe('verification_not_found')
    expect((await listed(device.kioskId))?.receivedCount).toBe(0)
  })

  test('that could not be judged is judged when it is sent again, but not with other bytes', async () => {
    const device = await paired()
    const capture = captureOf(device, host.now())
    const body = await sealedOf(device, capture)
    duringAnalysis(() => Promise.reject(new Problem('overloaded', 'Too much is waiting.')))
    expect(await problemOf(send(host, device, body))).toBe('overloaded')
    const others = await sealedOf(device, capture)
    const refusal = await send(host, device, others).catch((error) => error)
    expect(refusal).toMatchObject({ code: 'capture_refused', errors: [{ pointer: '#/captureId' }] })
    const another = captureOf(device, host.now(), { sequence: capture.sequence })
    expect(await problemOf(handIn(host, device, another))).toBe('sequence_used')
    const first = await send(host, device, body)
    expect(first.verificationResult).toBe('Pass')
    expect(await send(host, device, body)).toEqual(first)
    const late = await send(host, device, others).catch((error) => error)
    expect(late).toMatchObject({ code: 'capture_refused', errors: [{ pointer: '#/captureId' }] })
  })

  test('is decided even if its webhook is not answered', async () => {
    const receiver = await startReceiver([500, 500])
    closers.push(receiver.close)
    const device = await paired({ ...live, webhookConfig: { eventCallbackUrl: receiver.address } })
    expect((await visit(device)).answer.verificationResult).toBe('Pass')
    await expect.poll(() => receiver.received.length).toBe(2)
  })

  test.each([
    [0, 400],
    [1, 413],
  ])('of 32 MiB and %i bytes: %i', async (more, status) => {
    const device = await paired()
    const empty = JSON.stringify({ captureId: crypto.randomUUID(), sealed: '' })
    const sealed = 'x'.repeat(limits.bodyBytes - empty.length + more)
    const answer = await host.fetch(submitKiosk.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await tokenOf(host, device)}`,
        'content-type': 'application/json',
      },
      body: empty.replace('""', `"${sealed}"`),
    })
    expect(answer.status).toBe(status)
  })
})

describe('the audit log', () => {
  test('names the kiosk: created, paired, each capture once, and revoked', async () => {
    const own = await ownHost()
    const device = await paired(live, own)
    const { sent } = await visit(device, {}, own)
    await send(own, device, sent)
    await own.call(revokeKiosk, { query: { kioskId: device.kioskId } })
    const { entries } = await own.call(getAuditLog, { query: {} })
    const ofKiosk = entries.filter(({ resources }) => resources.kioskId === device.kioskId)
    expect(ofKiosk.map(({ operation, actor }) => `${operation} ${actor.kind}`).reverse()).toEqual([
      'createKiosk key',
      'pairKiosk kiosk',
      'submitKiosk kiosk',
      'completeSession kiosk',
      'revokeKiosk key',
    ])
  })
})
