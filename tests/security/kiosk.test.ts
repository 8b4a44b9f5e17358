import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { CompactEncrypt, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTokenKeys } from '#server/features/tokens/token-keys.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createKiosk, getAllKiosks, revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { assertionGrant, type KioskCapture, kioskTypes } from '#shared/contract/kiosk/kiosk-capture.ts'
import { pairKiosk, submitKiosk, syncKiosk, tokenKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Fault } from '#shared/problem.ts'
import { frameOf } from '../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../support/host.ts'
import {
  assertionOf,
  captureOf,
  type Device,
  exchange,
  handIn,
  newDeviceKey,
  pairDevice,
  planOf,
  seal,
  send,
  sync,
  tokenOf,
} from '../support/kiosk-device.ts'
import { newVerification, openSession, problemOf } from '../support/visit.ts'

const liveness = { type: 'Verification' as const }
const live = { verifierConfigs: { liveness } }
const year = 365 * 24 * 3600
const day = 24 * 3600

let host: Host
let device: Device
/** Another kiosk for the same account and verification. */
let other: Device
beforeAll(async () => {
  host = await startHost()
  const verificationId = await newVerification(host, live)
  device = await pairDevice(host, verificationId)
  other = await pairDevice(host, verificationId)
})
afterAll(() => host.close())

const seconds = () => Math.floor(host.now() / 1000)
const code = (assertion: string) => problemOf(exchange(host, assertion))

describe('an assertion', () => {
  test('is accepted if it is valid, so that the rest proves something', async () => {
    expect(await code(await assertionOf(device, host.now()))).toBe('no problem')
  })

  test.each([
    ['another audience', () => ({ aud: 'https://evil.example' })],
    ['another issuer', () => ({ iss: other.kioskId })],
    ['another subject', () => ({ sub: other.kioskId })],
    ['no audience', () => ({ aud: undefined })],
    ['no subject', () => ({ sub: undefined })],
    ['no token id', () => ({ jti: undefined })],
    ['an empty token id', () => ({ jti: '' })],
    ['an endless token id', () => ({ jti: 'x'.repeat(201) })],
    ['no time of issue', () => ({ iat: undefined })],
    ['no expiry', () => ({ exp: undefined })],
    ['an expiry that is no number', () => ({ exp: '9999999999' })],
    ['a life of 61 seconds', () => ({ exp: seconds() + 61 })],
    ['an expiry before its issue', () => ({ exp: seconds() - 1 })],
  ])('with %s is refused', async (_name, claims) => {
    expect(await code(await assertionOf(device, host.now(), claims()))).toBe('unauthenticated')
  })

  test.each([
    ['another type', { typ: 'JWT' }],
    ['the type of a capture', { typ: kioskTypes.capture }],
    ['no type', { typ: undefined }],
    ['the id of another kiosk', () => ({ kid: other.kioskId })],
    ['an unknown id', { kid: randomUUID() }],
    ['no id', { kid: undefined }],
    ['a key of its own', { jwk: { kty: 'EC' } }],
    ['a key set address', { jku: 'https://evil.example' }],
    ['a header that must be understood', { crit: ['b64'], b64: true }],
    ['a number for an id', { kid: 5 }],
    ['an object for an id', { kid: {} }],
    ['a list for an id', () => ({ kid: [device.kioskId] })],
    ['2 kB too much', { padding: 'x'.repeat(2048) }],
  ] as [string, object | (() => object)][])('whose header has %s is refused', async (_name, header) => {
    const given = typeof header === 'function' ? header() : header
    expect(await code(await assertionOf(device, host.now(), {}, given as Record<string, unknown>))).toBe(
      'unauthenticated',
    )
  })

  test('of another key is refused', async () => {
    const key = await newDeviceKey()
    expect(await code(await assertionOf({ ...device, key }, host.now()))).toBe('unauthenticated')
  })

  test('without a signature, or with a shared secret, is refused', async () => {
    const good = await assertionOf(device, host.now())
    const [, claims, signature] = good.split('.')
    const header = (alg: string) =>
      Buffer.from(JSON.stringify({ alg, typ: kioskTypes.assertion, kid: device.kioskId })).toString(
        'base64url',
      )
    expect(await code(`${header('none')}.${claims}.`)).toBe('unauthenticated')
    expect(await code(`${header('none')}.${claims}.${signature}`)).toBe('unauthenticated')
    const secret = new TextEncoder().encode(JSON.stringify(device.key.publicJwk))
    const shared = await new SignJWT({ iss: device.kioskId })
      .setProtectedHeader({ alg: 'HS256', typ: kioskTypes.assertion, kid: device.kioskId })
      .sign(secret)
    expect(await code(shared)).toBe('unauthenticated')
  })

  test('is good once, even if it arrives twice at once', async () => {
    const assertion = await assertionOf(device, host.now())
    const codes = await Promise.all(Array.from({ length: 10 }, () => code(assertion)))
    expect(codes.filter((one) => one === 'no problem')).toHaveLength(1)
    const jti = randomUUID()
    expect(await code(await assertionOf(device, host.now(), { jti }))).toBe('no problem')
    expect(await code(await assertionOf(device, host.now(), { jti }))).toBe('unauthenticated')
    expect(await code(await assertionOf(other, host.now(), { jti }))).toBe('no problem')
  })

  test.each([
    [-58, 'no problem'],
    [58, 'no problem'],
    [-63, 'clock_drift'],
    [63, 'clock_drift'],
    [year, 'clock_drift'],
  ])('with a clock that is %i seconds ahead: %s', async (ahead, expected) => {
    expect(await code(await assertionOf(device, host.now() + ahead * 1000))).toBe(expected)
  })

  test('with a wrong clock learns the time of the server; one with another fault learns nothing', async () => {
    const ask = async (assertion: string) => {
      const body = JSON.stringify({ grant_type: assertionGrant, assertion })
      const headers = { 'content-type': 'application/json' }
      const answer = await host.fetch(tokenKiosk.path, { method: 'POST', headers, body })
      return { date: answer.headers.get('date'), problem: await answer.json() }
    }
    const { date, problem } = await ask(await assertionOf(device, host.now() + year * 1000))
    expect(Math.abs(Date.parse(date!) - host.now())).toBeLessThan(5000)
    const told = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(problem.detail)![0]
    expect(Math.abs(Date.parse(told) - host.now())).toBeLessThan(5000)
    const forged = await assertionOf({ ...device, key: await newDeviceKey() }, host.now() + year * 1000)
    expect((await ask(forged)).problem.detail).not.toMatch(/\d{4}/)
  })

  test('of a kiosk without a paired device is refused', async () => {
    const body = { name: 'Desk', verificationId: await newVerification(host) }
    const { kioskId } = await host.call(createKiosk, { body })
    expect(await code(await assertionOf({ ...device, kioskId }, host.now()))).toBe('unauthenticated')
  })
})

describe('a pairing code', () => {
  const pairing = async () => {
    const body = { name: 'Desk', verificationId: await newVerification(host) }
    return (await host.call(createKiosk, { body })).pairingCode
  }

  test.each([
    ['two zeros', () => ({ x: 'A'.repeat(43), y: 'A'.repeat(43) })],
    ['the point of another key', async () => ({ y: (await newDeviceKey()).publicJwk.y })],
  ])('is not used up by a key that is not a point of the curve: %s', async (_name, wrong) => {
    const pairingCode = await pairing()
    const { publicJwk } = await newDeviceKey()
    const publicKey = { ...publicJwk, ...(await wrong()) }
    const refusal = await host.call(pairKiosk, { body: { pairingCode, publicKey } }).catch((error) => error)
    expect(refusal).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '#/publicKey' }] })
    const again = host.call(pairKiosk, { body: { pairingCode, publicKey: publicJwk } })
    expect(await problemOf(again)).toBe('no problem')
  })
})

describe('the token of a kiosk', () => {
  test('carries the scope kiosk, and lasts 15 minutes', async () => {
    const own = await startHost()
    const desk = await pairDevice(own, await newVerification(own))
    const { access_token: bearer, ...rest } = await exchange(own, await assertionOf(desk, own.now()))
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 900, scope: 'kiosk' })
    const body = {
      clockUtcTime: new Date(own.now()).toISOString(),
      queued: 0,
      unusedPlanCount: 200,
      lastSequence: 0,
    }
    const ask = () => problemOf(own.call(syncKiosk, { bearer, body }))
    own.pass(14 * 60_000)
    expect(await ask()).toBe('no problem')
    own.pass(66_000)
    expect(await ask()).toBe('unauthenticated')
    await own.close()
  })

  test('is never anything that the server signed for another purpose', async () => {
    const { token } = await host.call(getToken, { query: {} })
    const { sessionToken } = await openSession(host, await newVerification(host))
    const body = {
      clockUtcTime: new Date(host.now()).toISOString(),
      queued: 0,
      unusedPlanCount: 0,
      lastSequence: 0,
    }
    for (const bearer of [token, sessionToken, device.plans[0]!, await assertionOf(device, host.now())]) {
      expect(await problemOf(host.call(syncKiosk, { bearer, body }))).toBe('unauthenticated')
    }
  })

  test('is invalid from the request after the revocation on, like assertions and queued captures', async () => {
    const desk = await pairDevice(host, await newVerification(host, live))
    const bearer = await tokenOf(host, desk)
    const capture = captureOf(desk, host.now())
    const body = { captureId: capture.captureId, sealed: await seal(desk, capture) }
    await host.call(revokeKiosk, { query: { kioskId: desk.kioskId } })
    expect(await problemOf(host.call(submitKiosk, { bearer, body }))).toBe('kiosk_revoked')
    expect(await problemOf(sync(host, desk))).toBe('kiosk_revoked')
    expect(await code(await assertionOf(desk, host.now()))).toBe('kiosk_revoked')
    const forged = await assertionOf({ ...desk, key: await newDeviceKey() }, host.now())
    expect(await code(forged)).toBe('unauthenticated')
    await host.call(revokeKiosk, { query: { kioskId: desk.kioskId } })
  })

  test('accepts no capture that was in transit while the kiosk was switched off', async () => {
    const desk = await pairDevice(host, await newVerification(host, live))
    const capture = captureOf(desk, host.now())
    const bearer = await tokenOf(host, desk)
    const text = JSON.stringify({ captureId: capture.captureId, sealed: await seal(desk, capture) })
    const calls = host.analysis.calls
    async function* slowly() {
      yield Buffer.from(text.slice(0, 100))
      await host.call(revokeKiosk, { query: { kioskId: desk.kioskId } })
      yield Buffer.from(text.slice(100))
    }
    const answer = await host.fetch(submitKiosk.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: Readable.toWeb(Readable.from(slowly())) as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    expect((await answer.json()).code).toBe('kiosk_revoked')
    expect(host.analysis.calls).toBe(calls)
  })

  test('outlives the key of the account that made the kiosk', async () => {
    const { accounts } = host.services
    const made = await accounts.keys.create(host.accountId, 'Installer', ['admin'])
    const desk = await pairDevice(host, await newVerification(host, live), made.apiKey)
    await accounts.keys.revoke(host.accountId, made.key.keyId)
    expect((await handIn(host, desk, captureOf(desk, host.now()))).verificationResult).toBe('Pass')
  })

  test('gives no access to another account, which cannot see the kiosk either', async () => {
    const { apiKey } = await host.services.accounts.create('Another')
    const { kioskId } = device
    expect(await problemOf(host.call(revokeKiosk, { query: { kioskId }, apiKey }))).toBe('not_found')
    expect((await host.call(getAllKiosks, { apiKey })).kiosks).toEqual([])
    const body = await newVerification(host)
    const foreign = host.call(createKiosk, { body: { name: 'Desk', verificationId: body }, apiKey })
    expect(await problemOf(foreign)).toBe('not_found')
  })
})

const fresh = (given: Partial<KioskCapture> = {}) => captureOf(device, host.now(), given)

/** Any text, sealed the way a capture is. */
async function sealText(text: string): Promise<string> {
  const { kid } = device.sealingKey
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', typ: kioskTypes.sealed, kid })
    .encrypt(await importJWK(device.sealingKey, 'ECDH-ES'))
}

describe('a capture', () => {
  test('is accepted if it is valid, so that the rest proves something', async () => {
    expect((await handIn(host, device, fresh())).verificationResult).toBe('Pass')
  })

  test('that another kiosk signed is refused', async () => {
    expect(await problemOf(handIn(host, device, fresh(), { key: other.key }))).toBe('capture_refused')
    const capture = captureOf(other, host.now())
    expect(await problemOf(handIn(host, device, capture, { key: other.key }))).toBe('capture_refused')
    const body = { captureId: capture.captureId, sealed: await seal(other, capture) }
    expect(await problemOf(send(host, device, body))).toBe('capture_refused')
  })

  test('that names another kiosk is refused, even if this one signed it', async () => {
    expect(await problemOf(handIn(host, device, fresh({ kioskId: other.kioskId })))).toBe('capture_refused')
  })

  test('under the id of another one is refused', async () => {
    const sealed = await seal(device, fresh())
    expect(await problemOf(send(host, device, { captureId: randomUUID(), sealed }))).toBe('capture_refused')
  })

  test.each([
    ['a signature of another type', { signed: { typ: kioskTypes.assertion } }],
    ['a signature without a type', { signed: { typ: undefined } }],
    ['a signature that names another kiosk', { signed: { kid: 'other' } }],
    ['a signature that brings a key', { signed: { jwk: {} } }],
    ['a seal of another type', { sealed: { typ: 'JWE' } }],
    ['a seal of an unknown key', { sealed: { kid: 'other' } }],
    ['a seal without a key', { sealed: { kid: undefined } }],
    ['a weaker cipher', { sealed: { enc: 'A128GCM' } }],
    ['a cipher that the page has no use for', { sealed: { enc: 'A256CBC-HS512' } }],
    ['a wrapped key', { sealed: { alg: 'ECDH-ES+A256KW' } }],
    ['an address of keys', { sealed: { jku: 'https://evil.example' } }],
    ['a number for the id of its key', { sealed: { kid: 5 } }],
    ['a list for the id of its key', { sealed: { kid: [] } }],
    ['a signature whose header has 2 kB too much', { signed: { padding: 'x'.repeat(2048) } }],
  ])('with %s is refused', async (_name, given) => {
    expect(await problemOf(handIn(host, device, fresh(), given as object))).toBe('capture_refused')
  })

  test('with megabytes in its header is refused before they are parsed', async () => {
    const nested = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
    const header = (rest: string) => Buffer.from(`{${rest},"a":${nested}}`).toString('base64url')
    const outside = `${header(`"kid":"${device.sealingKey.kid}"`)}.a.b.c.d`
    const inside = `${header(`"alg":"ES256","kid":"${device.kioskId}"`)}.a.b`
    const parse = vi.spyOn(JSON, 'parse')
    for (const sealed of [outside, await sealText(inside)])
      expect(await problemOf(send(host, device, { captureId: randomUUID(), sealed }))).toBe('capture_refused')
    const read = parse.mock.calls.map(([text]) => String(text).length)
    parse.mockRestore()
    // A request's long text is extracted before the rest is parsed, so that no parser sees megabytes.
    expect(read.filter((length) => length > 1_000_000)).toEqual([])
  })

  test('with an invalid signature is refused', async () => {
    const capture = fresh()
    const header = { alg: 'none', typ: kioskTypes.capture, kid: device.kioskId }
    const [head, body] = [header, capture].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const { captureId } = capture
    const sealed = await sealText(`${head}.${body}.`)
    expect(await problemOf(send(host, device, { captureId, sealed }))).toBe('capture_refused')
  })

  test('that was compressed is refused, because it could be of any size', async () => {
    const capture = fresh()
    const sealed = (await seal(device, capture)).split('.')
    const header = { ...JSON.parse(Buffer.from(sealed[0]!, 'base64url').toString()), zip: 'DEF' }
    const [, ...rest] = sealed
    const zipped = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.')
    expect(await problemOf(send(host, device, { captureId: capture.captureId, sealed: zipped }))).toBe(
      'capture_refused',
    )
  })

  test("that is sealed to a foreign key under the id of the server's is refused", async () => {
    const { publicJwk } = await newDeviceKey()
    const sealingKey = { ...device.sealingKey, ...publicJwk }
    expect(await problemOf(handIn(host, device, fresh(), { sealingKey }))).toBe('capture_refused')
  })

  test('that is sealed but not signed, or signed but not sealed, is refused', async () => {
    const capture = fresh()
    const { captureId } = capture
    const bare = await sealText(JSON.stringify(capture))
    expect(await problemOf(send(host, device, { captureId, sealed: bare }))).toBe('capture_refused')
    const signed = await assertionOf(device, host.now(), capture as never, { typ: kioskTypes.capture })
    expect(await problemOf(send(host, device, { captureId, sealed: signed }))).toBe('capture_refused')
  })

  const tooMany = (count: number) => {
    const capture = fresh()
    return { frames: Array.from({ length: count }, () => capture.frames[0]!) }
  }
  test.each([
    ['no pictures', () => ({ frames: [] })],
    ['25 pictures', () => tooMany(25)],
    ['a picture that is none', () => ({ frames: [{ bytes: 'AAAA', time: 0, challengeStep: 0 }] })],
    ['a report of more than 64 kB', () => ({ deviceReport: { a: 'x'.repeat(65_536) } })],
    ['a report that nests deeper than 32 levels', () => ({ deviceReport: nested(40) })],
    ['a time that is none', () => ({ capturedAt: 'yesterday' })],
    ['a day that is none', () => ({ capturedAt: '2027-02-30T12:00:00Z' })],
    ['a sequence of 2^53', () => ({ sequence: 2 ** 53 })],
    ['a sequence below 0', () => ({ sequence: -1 })],
    ['a sequence of 0', () => ({ sequence: 0 })],
    ['a sequence that is not whole', () => ({ sequence: 1.5 })],
    ['an answer that there is not', () => ({ answer: { result: 'Maybe' } })],
    ['no consent', () => ({ consent: undefined })],
    ['twenty-two steps', () => ({ steps: Array.from({ length: 22 }, () => fresh().steps[0]!) })],
  ])('with %s is refused', async (_name, given) => {
    const capture = { ...fresh(), ...given() } as KioskCapture
    expect(await problemOf(handIn(host, device, capture))).toBe('capture_refused')
  })

  const faultsOf = async (given: object, sealing: Parameters<typeof handIn>[3] = {}) => {
    const refusal = await handIn(host, device, { ...fresh(), ...given }, sealing).catch((error) => error)
    return refusal.errors.map(({ pointer }: Fault) => pointer)
  }

  test('is refused with the position of the fault', async () => {
    expect(await faultsOf({ frames: [] })).toEqual(['#/sealed/frames'])
    expect(await faultsOf({ sequence: 0, answer: {} })).toEqual([
      '#/sealed/sequence',
      '#/sealed/answer/result',
    ])
    const frames = [...fresh().frames, { bytes: 'AAAA', time: 0, challengeStep: 0 }]
    expect(await faultsOf({ frames })).toEqual([`#/sealed/frames/${frames.length - 1}/bytes`])
    expect(await faultsOf({ kioskId: other.kioskId })).toEqual(['#/sealed/kioskId'])
    expect(await faultsOf({}, { key: other.key })).toEqual(['#/sealed'])
    expect(await faultsOf({}, { sealed: { kid: 'other' } })).toEqual(['#/sealed'])
  })

  test('with one bit flipped is refused, at any position', async () => {
    const capture = fresh()
    const sealed = await seal(device, capture)
    for (let place = 0; place < sealed.length; place += Math.floor(sealed.length / 25)) {
      const turned = turn(sealed[place]!)
      const body = {
        captureId: capture.captureId,
        sealed: sealed.slice(0, place) + turned + sealed.slice(place + 1),
      }
      expect(await problemOf(send(host, device, body))).toBe('capture_refused')
    }
  })

  test('with a used sequence number is refused, and judges nothing', async () => {
    const first = fresh()
    await handIn(host, device, first)
    const calls = host.analysis.calls
    const again = fresh({ sequence: first.sequence })
    expect(await problemOf(handIn(host, device, again))).toBe('sequence_used')
    expect(host.analysis.calls).toBe(calls)
    const elsewhere = captureOf(other, host.now(), { sequence: first.sequence })
    expect((await handIn(host, other, elsewhere)).verificationResult).toBe('Pass')
  })

  test('may skip sequence numbers, and go back to an unused one', async () => {
    const { sequence } = fresh()
    for (const next of [sequence + 5_000, Number.MAX_SAFE_INTEGER - sequence, sequence + 4_999])
      expect((await handIn(host, device, fresh({ sequence: next }))).verificationResult).toBe('Pass')
  })

  test('with 24 pictures is taken', async () => {
    const capture = fresh()
    const more = Array.from({ length: 24 - capture.frames.length }, () => frameOf({ person: 'anna' }, 1500))
    const frames = [...capture.frames, ...more.map((frame) => ({ ...frame, challengeStep: 0 }))]
    const { verificationResult } = await handIn(host, device, { ...capture, frames })
    expect(verificationResult).toBe('Pass')
  })

  test('whose steps are not those of its plan cannot pass', async () => {
    const [first, last] = fresh().steps
    for (const steps of [[], [last!], [first!, first!], [first!, { ...last!, step: 7 }]])
      expect(await judged({ steps })).toBe('challengeFailed')
  })

  test('of another kiosk does not answer under its id', async () => {
    const capture = fresh()
    await handIn(host, device, capture)
    const body = { captureId: capture.captureId, sealed: await seal(device, capture) }
    expect(await problemOf(send(host, other, body))).toBe('capture_refused')
  })
})

/** The outcome of a capture that uses this plan. */
async function judged(given: Partial<KioskCapture>, from = device) {
  const capture = captureOf(from, host.now(), given)
  const { verificationResult, verificationSessionId } = await handIn(host, from, capture)
  const { verificationFailedReasons } = await host.call(getSessionResult, {
    query: { verificationSessionId },
  })
  return verificationResult === 'Pass' ? 'Pass' : verificationFailedReasons.join()
}

/** A plan as the server would have signed it, apart from the given changes. */
async function forgedPlan(claims: object, header: object = {}): Promise<string> {
  const keys = createTokenKeys(host.store, createKeyRing(Buffer.alloc(32, 7), 'EU'), host.now, {
    name: 'kiosk-plan-key',
    algorithm: 'ES256',
    use: 'sig',
    overlapInMilliseconds: 1000,
  })
  const { kid, privateKey } = await keys.current()
  return new SignJWT({ ...planOf(device.plans.shift()!), ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: kioskTypes.plan, kid, ...header })
    .sign(privateKey)
}

describe('a plan', () => {
  test('that is signed again unchanged is valid, so that the rest proves something', async () => {
    expect(await judged({ plan: await forgedPlan({}) })).toBe('Pass')
  })

  test('counts once: a capture with a used plan is judged, and cannot pass', async () => {
    const plan = device.plans.shift()!
    expect(await judged({ plan })).toBe('Pass')
    expect(await judged({ plan })).toBe('challengeFailed')
  })

  test('counts for one of many captures that arrive at once', async () => {
    const plan = device.plans.shift()!
    const results = await Promise.all(Array.from({ length: 8 }, () => judged({ plan })))
    expect(results.filter((result) => result === 'Pass')).toHaveLength(1)
  })

  test('of another kiosk does not count', async () => {
    expect(await judged({ plan: other.plans.shift()! })).toBe('challengeFailed')
  })

  test.each([
    ['for another kiosk', { sub: 'other' }, {}],
    ['of another server', { iss: 'https://evil.example' }, {}],
    ['for another verification', { verificationId: 'other' }, {}],
    ['without actions', { actions: [] }, {}],
    ['that asks for nothing', { actionCount: 0 }, {}],
    ['without an id', { jti: undefined }, {}],
    ['of another type', {}, { typ: kioskTypes.capture }],
    ['of an unknown key', {}, { kid: 'other' }],
  ])('%s does not count', async (_name, claims, header) => {
    expect(await judged({ plan: await forgedPlan(claims, header) })).toBe('challengeFailed')
  })

  test('that the device signed itself does not count', async () => {
    const plan = await new SignJWT({ ...planOf(device.plans.shift()!) })
      .setProtectedHeader({ alg: 'ES256', typ: kioskTypes.plan, kid: device.planKeys[0]!.kid })
      .sign(device.key.privateKey)
    expect(await judged({ plan })).toBe('challengeFailed')
  })

  test.each([
    ['a day before its end', 29, 'Pass'],
    ['a day after its end', 31, 'challengeFailed'],
  ])('that was used %s: %s', async (_name, days, expected) => {
    const now = seconds()
    const plan = await forgedPlan({ iat: now - days * day, exp: now - days * day + 30 * day })
    expect(await judged({ plan })).toBe(expected)
  })

  test.each([
    ['4 minutes', 240, 'Pass'],
    ['6 minutes', 360, 'challengeFailed'],
    ['a year', year, 'challengeFailed'],
  ])('of a capture that claims to be taken %s from now: %s', async (_name, ahead, expected) => {
    const capturedAt = new Date(host.now() + ahead * 1000).toISOString()
    const exp = seconds() + 2 * year
    expect(await judged({ plan: await forgedPlan({ exp }), capturedAt })).toBe(expected)
  })
})

function nested(levels: number): Record<string, unknown> {
  return levels === 0 ? {} : { a: nested(levels - 1) }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Flips a Base64url letter's highest bit, because the lowest bits may be unused. */
function turn(letter: string): string {
  return letters[letters.indexOf(letter) ^ 32] ?? 'A'
}
