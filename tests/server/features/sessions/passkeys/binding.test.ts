import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyEvent } from '#shared/client/webhook.ts'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { deletePerson, exportPerson, resetPasskeys } from '#shared/contract/account/person.ts'
import { getDeliveries } from '#shared/contract/account/webhook.ts'
import { createWebhookEndpoint } from '#shared/contract/account/webhook-endpoint.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { pages } from '../../../../support/authenticator.ts'
import { haveShown, strong } from '../../../../support/drawn/shown-evidence.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newTrustedMaker } from '../../../../support/passkeys/attested-device.ts'
import * as visits from '../../../../support/passkeys/passkey-visits.ts'
import { startReceiver } from '../../../../support/programs/receiver.ts'
import { newVerification, type Opened, problemOf, resultOf } from '../../../../support/visit.ts'

const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }

const { passkeyRoots, newDevice: made } = await newTrustedMaker()
let host: Host
let verificationId: string
beforeAll(async () => {
  haveShown(strong)
  host = await startHost({ ports: { origin: () => pages, passkeyRoots } })
  verificationId = await newVerification(host, live)
})
afterAll(() => host.close())

let persons = 0
const newDevice = () => made(pages)
const personOf = (externalId: string) => ({ accountId: host.accountId, externalId })
const boundTo = (externalId: string) => host.services.passkeys.list(personOf(externalId))
const reset = (externalId: string) => host.call(resetPasskeys, { body: { externalId } })

/** A visit with this face. If `shown`, the passkey is on a different device from the one used for the visit. */
async function visited(externalId: string, face: string, shown?: visits.Device) {
  const opened = await visits.open(host, verificationId, externalId)
  if (shown !== undefined) await visits.showFromElsewhere(host, opened, shown)
  const answer = await visits.passThrough(host, opened, face)
  return { opened, isOffered: answer.offersPasskey === true }
}

/** Binds a device. Returns the problem if this is refused. */
const bind = (opened: Opened, device = newDevice()) => problemOf(visits.bind(host, opened, device))

/** A person with Anna's face, and with a device that is already bound. */
async function bound() {
  const externalId = `bound-${++persons}`
  const device = newDevice()
  const { opened } = await visited(externalId, 'anna')
  expect(await bind(opened, device)).toBe('no problem')
  return { externalId, device, opened }
}

async function assuranceOf(externalId: string, face: string, device: visits.Device) {
  const { opened } = await visited(externalId, face, device)
  return (await resultOf(host, opened)).assurance
}

describe('a further passkey', () => {
  test.each(['anna', 'bert'])('is not offered where that one is not shown: %s', async (face) => {
    const { externalId } = await bound()
    const { opened, isOffered } = await visited(externalId, face)
    expect(isOffered).toBe(false)
    expect(await bind(opened)).toBe('passkey_unavailable')
    expect(await boundTo(externalId)).toHaveLength(1)
  })

  test('is bound if the first one is shown with the face that bound it, and is equally good', async () => {
    const { externalId, device } = await bound()
    const [second, third] = [newDevice(), newDevice()]
    const { opened, isOffered } = await visited(externalId, 'anna', device)
    expect(isOffered).toBe(true)
    expect(await bind(opened, second)).toBe('no problem')
    expect(await bind((await visited(externalId, 'anna', second)).opened, third)).toBe('no problem')
    const faces = (await boundTo(externalId)).map(({ face }) => face.embedding)
    expect(faces).toHaveLength(3)
    expect(new Set(faces.map(String)).size).toBe(1)
    for (const one of [device, second, third]) expect(await assuranceOf(externalId, 'anna', one)).toBe('high')
  })

  test("is not offered to a stranger's face with the bound passkey", async () => {
    const { externalId, device } = await bound()
    const { opened, isOffered } = await visited(externalId, 'bert', device)
    expect(isOffered).toBe(false)
    expect(await bind(opened)).toBe('passkey_unavailable')
    expect((await resultOf(host, opened)).assurance).toBe('standard')
  })

  test('is refused under the id of a bound one, which would be overwritten', async () => {
    const { externalId, device } = await bound()
    const { opened } = await visited(externalId, 'anna', device)
    expect(await bind(opened, device)).toBe('invalid_request')
    expect(await assuranceOf(externalId, 'anna', device)).toBe('high')
  })

  test('is not offered for the device that showed its own', async () => {
    const { externalId, device } = await bound()
    const opened = await visits.open(host, verificationId, externalId)
    await visits.show(host, opened, device)
    expect(await visits.passThrough(host, opened)).not.toHaveProperty('offersPasskey')
  })

  test.each(['anna', 'bert'])(
    'is refused to a visit whose offer predates another binding: %s',
    async (face) => {
      const externalId = `early-${face}`
      const early = await visited(externalId, face)
      const first = await visited(externalId, 'anna')
      expect([early.isOffered, first.isOffered]).toEqual([true, true])
      expect(await bind(first.opened)).toBe('no problem')
      expect(await bind(early.opened)).toBe('passkey_unavailable')
    },
  )

  test('is bound once if two are bound at the same time', async () => {
    const externalId = 'at-once'
    const opened = [await visited(externalId, 'anna'), await visited(externalId, 'bert')]
    const made = await Promise.all(
      opened.map(async (one) => newDevice().make(await visits.optionsOf(host, one.opened, 'bind'))),
    )
    const answers = await Promise.all(
      opened.map((one, i) => problemOf(visits.bindAnswer(host, one.opened, made[i]!))),
    )
    expect(answers.sort()).toEqual(['no problem', 'passkey_unavailable'])
    expect(await boundTo(externalId)).toHaveLength(1)
  })

  test('is the tenth at most: an eleventh is refused, and none is displaced', async () => {
    const { externalId, device } = await bound()
    const [one] = await boundTo(externalId)
    const add = async (credentialId: string) =>
      host.store.commit(
        [await host.services.passkeys.write(personOf(externalId), { ...one!, credentialId })],
        [],
      )
    for (let i = 2; i < 10; i++) await add(`more-${i}`)
    const ninth = await visited(externalId, 'anna', device)
    expect(ninth.isOffered).toBe(true)
    await add('the-tenth')
    expect(await bind(ninth.opened)).toBe('passkey_unavailable')
    expect((await visited(externalId, 'anna', device)).isOffered).toBe(false)
    const ids = (await boundTo(externalId)).map(({ credentialId }) => credentialId)
    expect(ids).toHaveLength(10)
    expect(ids).toContain(device.id)
  })

  test('that a stranger bound before faces were compared does not lead that face to high', async () => {
    const { externalId, device } = await bound()
    const stranger = newDevice()
    const { opened } = await visited('the stranger', 'bert')
    expect(await bind(opened, stranger)).toBe('no problem')
    const [made] = await boundTo('the stranger')
    const { passkeys } = host.services
    await host.store.commit(
      [await passkeys.write(personOf(externalId), { ...made!, boundAt: host.now() + 1 })],
      [],
    )
    await forgetFaces()
    expect(await assuranceOf(externalId, 'bert', stranger)).toBe('standard')
    expect(await assuranceOf(externalId, 'anna', device)).toBe('high')
  })
})

/** Removes the faces, as in a store from before faces were stored along with the passkeys. */
async function forgetFaces() {
  for await (const { key } of host.store.list('passkey-face/')) await host.store.remove(key)
}

describe('POST /v1/person/reset-passkeys', () => {
  test.each([
    ['now', async () => {}],
    ['before the face was kept beside it', forgetFaces],
  ])('revokes what was bound %s, and keeps the face that bound it', async (_, grow) => {
    const { externalId, device } = await bound()
    await grow()
    const under = await visits.open(host, verificationId, externalId)
    const response = device.show(await visits.optionsOf(host, under, 'verify'))
    expect(await reset(externalId)).toEqual({ removed: 1 })
    expect(await boundTo(externalId)).toEqual([])
    expect(await problemOf(visits.verifyAnswer(host, under, response))).toMatch('invalid_request')
    const stranger = await visited(externalId, 'bert')
    expect(stranger.opened.capturePlan).not.toHaveProperty('passkey')
    expect(stranger.isOffered).toBe(false)
    expect(await bind(stranger.opened)).toBe('passkey_unavailable')
    const [again, next] = [await visited(externalId, 'anna'), newDevice()]
    expect(await bind(again.opened, next)).toBe('no problem')
    expect(await assuranceOf(externalId, 'anna', next)).toBe('high')
  })

  test('counts them, answers 0 for an unknown person and for one without any, and changes no other', async () => {
    const [{ externalId, device }, other] = [await bound(), await bound()]
    expect(await bind((await visited(externalId, 'anna', device)).opened)).toBe('no problem')
    expect(await reset(externalId)).toEqual({ removed: 2 })
    expect(await reset(externalId)).toEqual({ removed: 0 })
    expect(await reset('nobody at all')).toEqual({ removed: 0 })
    expect(await boundTo(other.externalId)).toHaveLength(1)
  })

  test('revokes the confirmations of a removed passkey, except for the face that bound it', async () => {
    const { externalId, device } = await bound()
    const { opened } = await visited(externalId, 'anna', device)
    const stranger = await visited(externalId, 'bert', device)
    await reset(externalId)
    expect(await bind(stranger.opened)).toBe('passkey_unavailable')
    expect(await bind(opened)).toBe('no problem')
  })

  test('is not compared if the face is of an unused embedding model', async () => {
    const { externalId } = await bound()
    const { passkeys } = host.services
    const older = { ...(await boundTo(externalId))[0]!.face, embeddingModel: 'dlib-face/2' as const }
    await host.store.commit([await passkeys.writeFace(personOf(externalId), older)], [])
    expect((await visited(externalId, 'anna')).isOffered).toBe(false)
    await reset(externalId)
    expect(await bind((await visited(externalId, 'bert')).opened)).toBe('no problem')
  })

  test('is in the audit log under an alias, and accepts no bearer', async () => {
    const { externalId } = await bound()
    await reset(externalId)
    const { entries } = await host.call(getAuditLog, { query: { limit: 1 } as never })
    expect(entries).toMatchObject([{ operation: 'resetPasskeys', outcome: 'succeeded' }])
    expect(Object.keys(entries[0]!.resources)).toEqual(['person'])
    expect(JSON.stringify(entries)).not.toContain(externalId)
    const { token } = await host.call(getToken, { query: {} })
    const answer = host.call(resetPasskeys, { body: { externalId }, bearer: token })
    expect(await problemOf(answer)).toMatch(/unauthenticated|forbidden/)
  })
})

test('deleting a person deletes the face that a reset keeps', async () => {
  const { externalId } = await bound()
  await reset(externalId)
  await host.call(deletePerson, { query: { externalId } })
  expect((await host.services.passkeys.standing(personOf(externalId))).face).toBeUndefined()
  expect((await visited(externalId, 'bert')).isOffered).toBe(true)
})

test('an export of a person has the face that a reset keeps', async () => {
  const { externalId } = await bound()
  const [one] = await boundTo(externalId)
  const before = await host.call(exportPerson, { query: { externalId } })
  expect(before.passkeys).toMatchObject([{ credentialId: one!.credentialId }])
  await reset(externalId)
  const after = await host.call(exportPerson, { query: { externalId } })
  expect(after.passkeys).toEqual([])
  expect(after.passkeyFace).toEqual([...one!.face.embedding])
  expect((await host.call(exportPerson, { query: { externalId: 'nobody' } })).passkeyFace).toBeNull()
})

test('PasskeyBound reports each binding once, with the person, whose name is not stored', async () => {
  const receiver = await startReceiver()
  const body = { url: receiver.address, events: ['PasskeyBound' as const] }
  const { secret, endpointId } = await host.call(createWebhookEndpoint, { body })
  const { externalId, device, opened } = await bound()
  const second = await visited(externalId, 'anna', device)
  await bind(second.opened)
  await bind((await visited(externalId, 'anna')).opened)
  await host.services.deliveries.settle()
  const told = await Promise.all(
    receiver.received.map(({ headers, body: text }) => verifyEvent({ headers, body: text, secret })),
  )
  const ids = [opened, second.opened].map(({ verificationSessionId }) => verificationSessionId)
  expect(told).toHaveLength(2)
  expect(told).toEqual(
    expect.arrayContaining(
      ids.map((verificationSessionId) => ({
        event: 'PasskeyBound',
        verificationSessionId,
        externalId,
        occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      })),
    ),
  )
  const { deliveries } = await host.call(getDeliveries, { query: { endpointId } as never })
  expect(deliveries.map((one) => JSON.parse(one.body).externalId)).toEqual([externalId, externalId])
  expect(deliveries[0]).not.toHaveProperty('sealedPerson')
  for await (const { value } of host.store.list('delivery'))
    expect(Buffer.from(value).toString()).not.toContain(externalId)
  receiver.close()
})
