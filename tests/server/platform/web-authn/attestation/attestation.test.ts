import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { newAuthenticator, pages } from '../../../../support/authenticator.ts'
import { haveShown, strong } from '../../../../support/drawn/shown-evidence.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import * as attested from '../../../../support/passkeys/attested-device.ts'
import { type DeviceMaker, newMaker, rootOf } from '../../../../support/passkeys/makers.ts'
import * as visits from '../../../../support/passkeys/passkey-visits.ts'
import { newVerification, resultOf } from '../../../../support/visit.ts'

beforeEach(() => {
  haveShown(strong)
})

const live: VerificationConfig = { verifierConfigs: { liveness: { type: 'Verification' } } }
const { reportedAaguid, androidKey, changed, newAttestedAuthenticator, packed, selfAttested, tpm } = attested
const [backupEligible, backedUp] = [8, 16]
const usualOfBinding = 1 | 4 | 64
const usualOfShowing = 1 | 4

let maker: DeviceMaker
let below: DeviceMaker
let stranger: DeviceMaker
let roots: NonNullable<TrustedRoots>[number][]
let host: Host
let verificationId: string
beforeAll(async () => {
  maker = await newMaker('Test Keys Root')
  below = await maker.below('Test Keys Series 7')
  stranger = await newMaker('Test Keys Root')
  roots = [rootOf(maker)]
  host = await startHost({ ports: { origin: () => pages, passkeyRoots: roots } })
  verificationId = await newVerification(host, live)
})
afterAll(() => host.close())

let persons = 0
const newPerson = () => `device-${++persons}`
const deviceThat = (says: attested.Says) => newAttestedAuthenticator(pages, says)

async function boundBy(device: visits.Device, on = host, id = verificationId, otherwise = {}) {
  const externalId = newPerson()
  const opened = await visits.open(on, id, externalId)
  await visits.passThrough(on, opened)
  await visits.bind(on, opened, device, otherwise)
  return { externalId, opened }
}

/** The result of a further visit in which this device is used. */
async function nextVisit(externalId: string, device: visits.Device, otherwise = {}) {
  const opened = await visits.open(host, verificationId, externalId)
  await visits.show(host, opened, device, otherwise)
  await visits.passThrough(host, opened)
  return resultOf(host, opened)
}

/** The results of both of a device's visits. */
async function reachedBy(device: visits.Device, otherwise = {}) {
  const { externalId, opened } = await boundBy(device, host, verificationId, otherwise)
  const { passkeys } = await resultOf(host, opened)
  const next = await nextVisit(externalId, device)
  expect(next.passkeys).toEqual(passkeys.map((one) => ({ ...one, use: 'shown' })))
  return { assurance: next.assurance, because: passkeys[0]!.unattestedBecause }
}

const known = (externalId: string) => host.services.passkeys.list({ accountId: host.accountId, externalId })

describe('a device attested by a trusted root', () => {
  const chains: [string, () => attested.Says, string][] = [
    ['packed', () => packed(below, { above: [below] }), 'packed'],
    ['packed, its root sent along', () => packed(below, { above: [below, maker] }), 'packed'],
    ['packed, by the root itself', () => packed(maker, { above: [] }), 'packed'],
    ['tpm', () => tpm(below), 'tpm'],
    ['android-key', () => androidKey(below), 'android-key'],
    ['android-key of a chip of its own', () => androidKey(below, { level: 2 }), 'android-key'],
  ]
  test.each(chains)('makes the next visit high: %s', async (_, says, format) => {
    const device = deviceThat(says())
    const { externalId, opened } = await boundBy(device)
    const first = await resultOf(host, opened)
    const attestation = {
      format,
      aaguid: reportedAaguid,
      root: roots[0]!.fingerprint,
      attestedAt: expect.stringMatching(/^20/),
      certificates: expect.any(Array),
    }
    expect(first.assurance).toBe('standard')
    expect(first.passkeys).toEqual([{ use: 'bound', attestation, unattestedBecause: null }])
    const next = await nextVisit(externalId, device)
    expect(next.assurance).toBe('high')
    expect(next.passkeys).toEqual([{ use: 'shown', attestation, unattestedBecause: null }])
  })

  test('stores the statement with the passkey, and for the person', async () => {
    const { externalId } = await boundBy(deviceThat(packed(below)))
    const [one] = await known(externalId)
    expect(one!.attested).toEqual({
      attestation: {
        format: 'packed',
        aaguid: reportedAaguid,
        root: roots[0]!.fingerprint,
        at: one!.boundAt,
        chain: expect.any(Array),
      },
    })
  })

  test('no longer counts once it may have been copied', async () => {
    const device = deviceThat(packed(below))
    const { externalId } = await boundBy(device)
    for (const flags of [backupEligible, backupEligible | backedUp]) {
      const next = await nextVisit(externalId, device, { flags: usualOfShowing | flags })
      expect([next.assurance, next.passkeys[0]!.unattestedBecause]).toEqual(['standard', 'synced'])
    }
    expect((await nextVisit(externalId, device)).assurance).toBe('high')
  })

  test('no longer counts once the root is not trusted any more', async () => {
    const device = deviceThat(packed(below))
    const { externalId } = await boundBy(device)
    const [trusted] = roots.splice(0)
    const next = await nextVisit(externalId, device)
    roots.push(trusted!)
    expect([next.assurance, next.passkeys[0]!.unattestedBecause]).toEqual(['standard', 'rootWithdrawn'])
    expect((await nextVisit(externalId, device)).assurance).toBe('high')
  })

  test('is asked for its attestation, and for a passkey that cannot leave it', async () => {
    const opened = await visits.open(host, verificationId, newPerson())
    await visits.passThrough(host, opened)
    expect(await visits.optionsOf(host, opened, 'bind')).toMatchObject({
      attestation: 'direct',
      attestationFormats: ['packed', 'tpm', 'android-key'],
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
    })
  })
})

describe('a passkey without attestation is bound, records the reason, and leads to standard', () => {
  const weak: [string, () => visits.Device, object][] = [
    ['notSent', () => newAuthenticator(pages), {}],
    ['selfAttested', () => deviceThat(selfAttested), {}],
    ['unknownRoot: packed', () => deviceThat(packed(stranger)), {}],
    ['unknownRoot: a link is missing', () => deviceThat(packed(below, { above: [] })), {}],
    ['unknownRoot: tpm', () => deviceThat(tpm(stranger)), {}],
    ['unknownRoot: android-key', () => deviceThat(androidKey(stranger)), {}],
    ['certificateExpired: packed', () => deviceThat(packed(maker, { from: -9, to: -1 })), {}],
    ['certificateExpired: not begun', () => deviceThat(packed(maker, { from: 2 })), {}],
    ['certificateExpired: tpm', () => deviceThat(tpm(maker, { from: -9, to: -1 })), {}],
    ['synced: packed', () => deviceThat(packed(below)), { flags: usualOfBinding | backupEligible }],
    ['synced: tpm', () => deviceThat(tpm(below)), { flags: usualOfBinding | backupEligible | backedUp }],
    ['softwareKey: android-key', () => deviceThat(androidKey(below, { level: 0 })), {}],
    ['softwareKey: tpm', () => deviceThat(tpm(below, { attributes: 0x00060440 })), {}],
    ['unlockedDevice', () => deviceThat(androidKey(below, { boot: { deviceLocked: 0 } })), {}],
    ['unsupportedFormat: fido-u2f', () => deviceThat(() => ({ fmt: 'fido-u2f', attStmt: {} })), {}],
    ['unsupportedFormat: apple', () => deviceThat(() => ({ fmt: 'apple', attStmt: {} })), {}],
    [
      'unsupportedFormat: android-safetynet',
      () => deviceThat(() => ({ fmt: 'android-safetynet', attStmt: {} })),
      {},
    ],
  ]
  test.each(weak)('%s', async (told, device, otherwise) => {
    const [because] = told.split(': ')
    expect(await reachedBy(device(), otherwise)).toEqual({ assurance: 'standard', because })
  })

  test('notAsked, if no root is trusted; and so is an older one', async () => {
    const untrusting = await startHost({ ports: { origin: () => pages } })
    const id = await newVerification(untrusting, live)
    const device = deviceThat(packed(below))
    const { externalId, opened } = await boundBy(device, untrusting, id)
    const because = (await resultOf(untrusting, opened)).passkeys[0]!.unattestedBecause
    expect(because).toBe('notAsked')
    const [kept] = await untrusting.services.passkeys.list({ accountId: untrusting.accountId, externalId })
    await untrusting.close()

    const { attested: _, ...ofBefore } = kept!
    const before = newPerson()
    const person = { accountId: host.accountId, externalId: before }
    await host.store.commit([await host.services.passkeys.write(person, ofBefore)], [])
    const next = await nextVisit(before, device)
    expect([next.assurance, next.passkeys[0]!.unattestedBecause]).toEqual(['standard', 'notAsked'])
  })
})

describe('a forged statement is refused, and binds nothing', () => {
  const flipped = (name: string) => (attStmt: Record<string, unknown>) => {
    const bytes = new Uint8Array(attStmt[name] as Uint8Array)
    bytes[bytes.length - 1]! ^= 1
    return { [name]: bytes }
  }
  const otherModel = () => packed(below, { model: Buffer.alloc(16, 9) })
  const wrong: [string, () => attested.Says][] = [
    ['a wrong signature: packed', () => changed(packed(below), flipped('sig'))],
    ['a wrong signature: tpm', () => changed(tpm(below), flipped('sig'))],
    ['a wrong signature: android-key', () => changed(androidKey(below), flipped('sig'))],
    ['a wrong signature of its own', () => changed(selfAttested, flipped('sig'))],
    ['another model than its certificate names', otherModel],
    ['a key that the chip did not sign for', () => changed(tpm(below), flipped('pubArea'))],
    ['a chip that says nothing', () => changed(tpm(below), () => ({ pubArea: 7 }))],
    ['another visit: android-key', () => androidKey(below, { challenge: Buffer.alloc(32) })],
    ['another key: android-key', () => androidKey(below, { isOfOtherKey: true })],
    ['a key that was brought in: android-key', () => androidKey(below, { origin: 2 })],
    ['a key that does not sign: android-key', () => androidKey(below, { purpose: 0 })],
    ['a key of every app: android-key', () => androidKey(below, { isForAll: true })],
    [
      'a certificate without a key',
      () => changed(androidKey(below), () => ({ x5c: [new Uint8Array(maker.der)] })),
    ],
    ['no certificate: tpm', () => changed(tpm(below), () => ({ x5c: undefined }))],
    ['an empty chain', () => changed(packed(below), () => ({ x5c: [] }))],
    ['a chain of bytes', () => changed(packed(below), () => ({ x5c: [new Uint8Array(9)] }))],
    [
      'a chain of nine',
      () => changed(packed(below), () => ({ x5c: Array(9).fill(new Uint8Array(below.der)) })),
    ],
    ['no signature', () => changed(packed(below), () => ({ sig: undefined }))],
    ['no list of words', () => () => ({ fmt: 'packed', attStmt: [] as never })],
  ]
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'taken',
      ({ status, errors }) => [status, errors[0].pointer],
    )

  test.each(wrong)('%s', async (_, says) => {
    const opened = await visits.open(host, verificationId, newPerson())
    await visits.passThrough(host, opened)
    expect(await refusal(visits.bind(host, opened, deviceThat(says())))).toEqual([
      400,
      '#/response/response/attestationObject',
    ])
    expect((await resultOf(host, opened)).passkeys).toEqual([])
    await visits.bind(host, opened, newAuthenticator(pages))
  })

  test.each([
    ['torn', (bytes: Buffer) => bytes.subarray(0, bytes.length - 9)],
    ['empty', () => Buffer.alloc(0)],
    ['a list', () => Buffer.from(isoCBOR.encode([1, 2]))],
    ['nested a thousand times', () => Buffer.alloc(40_000, 0x81)],
  ])('an attestation object that is %s', async (_, change) => {
    const opened = await visits.open(host, verificationId, newPerson())
    await visits.passThrough(host, opened)
    const answer = await deviceThat(packed(below)).make(await visits.optionsOf(host, opened, 'bind'))
    const { attestationObject, ...rest } = answer.response as Record<string, string>
    const bytes = change(Buffer.from(attestationObject!, 'base64url')).toString('base64url')
    const torn = { ...answer, response: { ...rest, attestationObject: bytes } }
    expect(await refusal(visits.bindAnswer(host, opened, torn))).toEqual([400, '#/response'])
  })
})

test('no address in a statement is contacted, with roots and without', async () => {
  let asked = 0
  const refused: unknown[] = []
  const lists = createServer((_, response) => {
    asked++
    response.end()
  })
  await new Promise<void>((listening) => lists.listen(0, '127.0.0.1', listening))
  const crl = `http://127.0.0.1:${(lists.address() as AddressInfo).port}/revoked`
  const tempting = await newMaker('Tempting', { crl })
  const between = await tempting.below('Between', { crl })
  const above = [between, tempting]
  const untrusting = await startHost({ ports: { origin: () => pages } })
  const trusting = await startHost({ ports: { origin: () => pages, passkeyRoots: [rootOf(tempting)] } })
  for (const on of [untrusting, trusting]) {
    const id = await newVerification(on, live)
    for (const says of [packed, tpm, androidKey]) {
      const bound = boundBy(deviceThat(says(between, { crl, above })), on, id)
      await bound.catch((error) => refused.push(error))
    }
    await on.close()
  }
  lists.close()
  expect(asked).toBe(0)
  expect(refused).toEqual([])
})
