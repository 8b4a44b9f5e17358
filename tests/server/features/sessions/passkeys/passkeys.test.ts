import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AssuranceEvidence } from '#models/rules/liveness/evidence/assurance.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { bindPasskey, verifyPasskey } from '#shared/contract/sessions/session-passkey.ts'
import { pages } from '../../../../support/authenticator.ts'
import { haveShown, shownEvidence, strong } from '../../../../support/drawn/shown-evidence.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newTrustedMaker } from '../../../../support/passkeys/attested-device.ts'
import * as visits from '../../../../support/passkeys/passkey-visits.ts'
import { recordOf } from '../../../../support/session-record.ts'
import { newVerification, type Opened, problemOf, resultOf, submit } from '../../../../support/visit.ts'

const live: VerificationConfig = { verifierConfigs: { liveness: { type: 'Verification' } } }

const { passkeyRoots, newDevice } = await newTrustedMaker()
let host: Host
let verificationId: string
beforeAll(async () => {
  host = await startHost({ ports: { origin: () => pages, passkeyRoots } })
  verificationId = await newVerification(host, live)
})
afterAll(() => host.close())
beforeEach(() => {
  haveShown(strong)
})

let persons = 0
const newPerson = () => `person-${++persons}`
const open = (externalId: string | null, on = host, id = verificationId) => visits.open(on, id, externalId)

const passThrough = (opened: Opened, person = 'anna', on = host) => visits.passThrough(on, opened, person)
const optionsOf = (opened: Opened, ceremony: 'bind' | 'verify', on = host) =>
  visits.optionsOf(on, opened, ceremony)
const bind = (opened: Opened, device: Device, otherwise = {}) => visits.bind(host, opened, device, otherwise)
const show = (opened: Opened, device: Device, otherwise = {}) => visits.show(host, opened, device, otherwise)

/** A person who bound this device during their first visit. */
async function bound(externalId = newPerson(), device = newDevice(pages)) {
  const opened = await open(externalId)
  await passThrough(opened)
  await bind(opened, device)
  return { externalId, device, opened }
}
/** Binds another device during a further visit in which this one was used. */
async function bindBeside(externalId: string, shown: Device, made: Device) {
  const opened = await open(externalId)
  await show(opened, shown, { attachment: 'cross-platform' })
  await passThrough(opened)
  return bind(opened, made)
}
type Device = visits.Device
const known = (externalId: string) => host.services.passkeys.list({ accountId: host.accountId, externalId })

describe('a passkey', () => {
  test('is bound after a standard visit, and makes the next one high', async () => {
    const { externalId, device, opened } = await bound()
    expect((await resultOf(host, opened)).assurance).toBe('standard')
    const next = await open(externalId)
    expect(next.capturePlan.passkey).toBe(true)
    await show(next, device)
    expect(await passThrough(next)).toEqual({ verificationResult: 'Pass', redirectUrl: null })
    expect((await resultOf(host, next)).assurance).toBe('high')
  })

  test('is not requested at a first visit, nor of another person', async () => {
    const { device } = await bound()
    const stranger = await open(newPerson())
    expect(stranger.capturePlan).not.toHaveProperty('passkey')
    expect(await problemOf(show(stranger, device))).toBe('passkey_unavailable')
  })

  test('that is lost lowers the assurance, and never refuses', async () => {
    const { externalId } = await bound()
    const next = await open(externalId)
    expect(await passThrough(next)).toEqual({ verificationResult: 'Pass', redirectUrl: null })
    expect((await resultOf(host, next)).assurance).toBe('standard')
  })

  test('of another face lowers to standard, and none is offered for that face', async () => {
    const { externalId, device } = await bound()
    const next = await open(externalId)
    await show(next, device)
    expect(await passThrough(next, 'bert')).toEqual({ verificationResult: 'Pass', redirectUrl: null })
    expect((await resultOf(host, next)).assurance).toBe('standard')
  })

  test.each([
    ['low', { isTrailComplete: false }, 'low'],
    ['hinted to be injected', { isInjectionHinted: true }, 'standard'],
  ])('does not raise a visit that is %s', async (_, shown, assurance) => {
    const { externalId, device } = await bound()
    shownEvidence.shown = { ...strong, ...shown }
    const next = await open(externalId)
    await show(next, device)
    await passThrough(next)
    expect((await resultOf(host, next)).assurance).toBe(assurance)
  })

  test('counts in the visit in which it was shown, and in no other', async () => {
    const { externalId, device } = await bound()
    const [first, second] = [await open(externalId), await open(externalId)]
    await show(first, device)
    await passThrough(second)
    expect((await resultOf(host, second)).assurance).toBe('standard')
  })

  test('is known at another verification of the account, and at no other account', async () => {
    const { externalId, device } = await bound()
    const next = await open(externalId, host, await newVerification(host, live))
    await show(next, device)
    expect(await host.services.passkeys.list({ accountId: host.accountId, externalId })).toHaveLength(1)
    const other = await host.services.accounts.create('Another')
    const { accountId } = other.account
    expect(await host.services.passkeys.list({ accountId, externalId })).toEqual([])
  })

  test('may be one of several, each of which is valid', async () => {
    const { externalId, device } = await bound()
    const second = newDevice(pages)
    await bindBeside(externalId, device, second)
    for (const one of [device, second]) {
      const next = await open(externalId)
      await show(next, one)
      await passThrough(next)
      expect((await resultOf(host, next)).assurance).toBe('high')
    }
  })
})

describe('the offer', () => {
  test.each<[string, Partial<AssuranceEvidence>, boolean]>([
    ['standard', {}, true],
    ['low', { isTrailComplete: false }, false],
  ])('is made to a person who is seen well enough: %s', async (_, shown, isOffered) => {
    shownEvidence.shown = { ...shownEvidence.shown, ...shown }
    const opened = await open(newPerson())
    const submitted = await passThrough(opened)
    expect('offersPasskey' in submitted).toBe(isOffered)
    if (!isOffered) expect(await problemOf(optionsOf(opened, 'bind'))).toBe('passkey_unavailable')
  })

  test('is not made without an external id', async () => {
    const opened = await open(null)
    expect(await passThrough(opened)).not.toHaveProperty('offersPasskey')
    expect(await problemOf(optionsOf(opened, 'bind'))).toBe('passkey_unavailable')
  })

  test('is not made after a failure', async () => {
    const age = {
      type: 'ThresholdVerification' as const,
      thresholdConfig: { threshold: 99, direction: 'Above' as const },
    }
    const failing = await newVerification(host, { verifierConfigs: { ...live.verifierConfigs, age } })
    const submitted = await passThrough(await open(newPerson(), host, failing))
    expect(submitted).toEqual({ verificationResult: 'Fail', redirectUrl: null })
  })

  test('is not made if pages have no host name', async () => {
    const numbered = await startHost()
    const opened = await open(newPerson(), numbered, await newVerification(numbered, live))
    expect(await passThrough(opened, 'anna', numbered)).not.toHaveProperty('offersPasskey')
    expect(await problemOf(optionsOf(opened, 'bind', numbered))).toBe('passkey_unavailable')
    await numbered.close()
  })

  test('is good once', async () => {
    const { opened } = await bound()
    expect(await problemOf(bind(opened, newDevice(pages)))).toBe('passkey_unavailable')
    expect(await submit(host, opened)).not.toHaveProperty('offersPasskey')
  })

  test('is repeated with the answer until it is used', async () => {
    const opened = await open(newPerson())
    await passThrough(opened)
    expect(await submit(host, opened)).toMatchObject({ offersPasskey: true })
  })

  test('is for the device of the visit', async () => {
    const opened = await open(newPerson())
    const { code } = await host.call(createHandoff, { bearer: opened.bearer })
    const taken = await host.call(takeHandoff, { body: { code } })
    const phone = { ...taken, bearer: taken.sessionToken } as Opened
    expect(await passThrough(phone)).toMatchObject({ offersPasskey: true, redirectUrl: null })
    expect(await problemOf(optionsOf(opened, 'bind'))).toBe('session_handed_over')
    await bind(phone, newDevice(pages))
  })

  test('leaves no face in the session, and none in clear text in the store', async () => {
    const { externalId, device } = await bound()
    const next = await open(externalId)
    await show(next, device)
    expect((await recordOf(host, next))!.passkey!.verified!.embedding).toHaveLength(512)
    await passThrough(next)
    expect((await recordOf(host, next))!.passkey).toEqual({
      isBound: true,
      challenge: null,
      verified: null,
      isOffered: false,
      told: [{ use: 'shown', attestation: expect.any(Object), unattestedBecause: null }],
    })
    for await (const { value } of host.store.list('passkey')) {
      expect(Buffer.from(value).toString()).not.toMatch(/embedding|publicKey|person-/)
    }
  })
})

describe('a device’s answer', () => {
  const wrong = (error: { errors: { pointer: string }[]; status: number }) => [
    error.status,
    error.errors.map(({ pointer }) => pointer),
  ]
  const refusal = (work: Promise<unknown>) => work.then(() => 'taken', wrong)

  test.each([
    ['another challenge', { challenge: 'AAAA' }],
    ['another page', { origin: 'https://evil.example' }],
    ['another name', { rpId: 'evil.example' }],
    ['nobody there', { flags: 64 }],
    ['somebody who was not verified', { flags: 65 }],
  ])('is refused if it binds for %s', async (_, otherwise) => {
    const opened = await open(newPerson())
    await passThrough(opened)
    const device = newDevice(pages)
    expect(await refusal(bind(opened, device, otherwise))).toEqual([400, ['#/response']])
    await bind(opened, device)
  })

  test.each([
    ['another challenge', { challenge: 'AAAA' }],
    ['another page', { origin: 'https://evil.example' }],
    ['a page that frames it unasked', { topOrigin: 'https://evil.example' }],
    ['another name', { rpId: 'evil.example' }],
    ['nobody there', { flags: 0 }],
    ['somebody who was not verified', { flags: 1 }],
  ])('is refused if it shows %s', async (_, otherwise) => {
    const { externalId, device } = await bound()
    const next = await open(externalId)
    expect(await refusal(show(next, device, otherwise))).toEqual([400, ['#/response']])
    await passThrough(next)
    expect(await resultOf(host, next)).toMatchObject({ verificationResult: 'Pass', assurance: 'standard' })
  })

  test('is refused if its counter decreases, as a copy’s would', async () => {
    const { externalId, device } = await bound()
    const first = await open(externalId)
    await show(first, device, { counter: 7 })
    const second = await open(externalId)
    expect(await refusal(show(second, device, { counter: 7 }))).toEqual([400, ['#/response']])
    await show(second, device, { counter: 8 })
  })

  test('is refused from an unknown device, and from one that signs for another', async () => {
    const { externalId, device } = await bound()
    const next = await open(externalId)
    const other = newDevice(pages)
    expect(await refusal(show(next, other))).toEqual([400, ['#/response']])
    const posing = {
      ...other,
      show: (options: object) => ({ ...other.show({ ...options }), id: device.id, rawId: device.id }),
    }
    expect(await refusal(show(next, posing as Device))).toEqual([400, ['#/response']])
  })

  test('is refused without options, for the other ceremony, and the second time', async () => {
    const { externalId, device } = await bound()
    const next = await open(externalId)
    const verify = (response: Record<string, unknown>) =>
      host.call(verifyPasskey, { bearer: next.bearer, body: { response } })
    expect(await refusal(verify(device.show({ challenge: 'AAAA' })))).toEqual([400, ['#/response']])
    const answer = device.show(await optionsOf(next, 'verify'))
    await verify(answer)
    expect(await refusal(verify(answer))).toEqual([400, ['#/response']])
    expect(await problemOf(bind(next, device))).toBe('passkey_unavailable')
  })

  test.each([{}, { id: 7 }, { id: 'x', response: null }])(
    'is refused if it is malformed: %j',
    async (response) => {
      const { externalId } = await bound()
      const next = await open(externalId)
      await optionsOf(next, 'verify')
      const work = host.call(verifyPasskey, { bearer: next.bearer, body: { response } } as never)
      expect(await refusal(work)).toEqual([400, ['#/response']])
    },
  )

  test('is too late once the session is closed', async () => {
    const { externalId, device } = await bound()
    const next = await open(externalId)
    const response = device.show(await optionsOf(next, 'verify'))
    await passThrough(next)
    expect(await problemOf(host.call(verifyPasskey, { bearer: next.bearer, body: { response } }))).toBe(
      'session_closed',
    )
  })

  test('in a frame is accepted from a page that may frame it', async () => {
    await host.services.accounts.update(host.accountId, { embedOrigins: ['https://shop.example'] })
    const { externalId, device } = await bound()
    const next = await open(externalId)
    await show(next, device, { topOrigin: 'https://shop.example' })
    await host.services.accounts.update(host.accountId, { embedOrigins: [] })
  })
})

describe('the options', () => {
  test('name no person, request no attestation without trusted roots, and ask for user verification', async () => {
    const own = await startHost({ ports: { origin: () => pages } })
    const externalId = newPerson()
    const opened = await open(externalId, own, await newVerification(own, live))
    await passThrough(opened, 'anna', own)
    const options = await optionsOf(opened, 'bind', own)
    expect(options).not.toHaveProperty('attestationFormats')
    await own.close()
    expect(options).toMatchObject({
      rp: { id: 'check.example', name: 'Test account' },
      user: { name: 'Test account' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      excludeCredentials: [],
    })
    expect(JSON.stringify(options)).not.toContain(externalId)
  })

  test('list known passkeys, so that a device neither creates nor shows another', async () => {
    const { externalId, device } = await bound()
    const next = await open(externalId)
    expect(await optionsOf(next, 'verify')).toMatchObject({
      rpId: 'check.example',
      userVerification: 'required',
      allowCredentials: [{ id: device.id }],
    })
    await show(next, device, { attachment: 'cross-platform' })
    await passThrough(next)
    expect(await optionsOf(next, 'bind')).toMatchObject({ excludeCredentials: [{ id: device.id }] })
  })

  test('are not created for passkeys of another embedding model', async () => {
    const { externalId } = await bound()
    const person = { accountId: host.accountId, externalId }
    const [one] = await known(externalId)
    const older = { ...one!, face: { ...one!.face, embeddingModel: 'dlib-face/2' as const } }
    await host.store.commit([await host.services.passkeys.write(person, older)], [])
    expect(await problemOf(optionsOf(await open(externalId), 'verify'))).toBe('passkey_unavailable')
  })
})

describe('deleting a person', () => {
  test('removes passkeys and offers', async () => {
    const { externalId, device } = await bound()
    const offered = await open(externalId)
    await show(offered, device, { attachment: 'cross-platform' })
    await passThrough(offered)
    await host.call(deletePerson, { query: { externalId } })
    expect(await known(externalId)).toEqual([])
    const { verificationSessionId } = offered
    expect(await host.services.passkeys.offer(host.accountId, verificationSessionId)).toBeUndefined()
    expect((await open(externalId)).capturePlan).not.toHaveProperty('passkey')
  })

  test('leaves those of others', async () => {
    const [one, other] = [await bound(), await bound()]
    await host.call(deletePerson, { query: { externalId: one.externalId } })
    expect(await known(other.externalId)).toHaveLength(1)
  })
})

test('an unused passkey is forgotten after 400 days, an offer with its session', async () => {
  const own = await startHost({ ports: { origin: () => pages } })
  const id = await newVerification(own, live)
  const device = newDevice(pages)
  const opened = await open('anna', own, id)
  await passThrough(opened, 'anna', own)
  const later = await open('berta', own, id)
  await passThrough(later, 'anna', own)
  const response = await device.make(await optionsOf(opened, 'bind', own))
  await own.call(bindPasskey, { bearer: opened.bearer, body: { response } })
  const person = { accountId: own.accountId, externalId: 'anna' }
  own.pass(15 * 60_000)
  expect(await own.services.passkeys.offer(own.accountId, later.verificationSessionId)).toBeUndefined()
  own.pass(399 * 24 * 3600_000)
  expect(await own.services.passkeys.list(person)).toHaveLength(1)
  own.pass(24 * 3600_000)
  expect(await own.services.passkeys.list(person)).toEqual([])
  await own.close()
})
