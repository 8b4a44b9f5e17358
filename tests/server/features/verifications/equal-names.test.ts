import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEqualNames } from '#server/features/verifications/equal-names.ts'
import { createVerificationStore } from '#server/features/verifications/verification-store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { createKey, updateAccount } from '#shared/contract/account/account.ts'
import {
  createOrUpdateVerification,
  createVerification,
  deleteVerification,
  getVerification,
  updateVerification,
} from '#shared/contract/configuration/verification.ts'
import { createKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { updateFace } from '#shared/contract/recognition/named-faces.ts'
import {
  createCollection,
  deleteCollection,
  getCollection,
  indexFace,
  searchOrIndexFace,
  updateCollection,
} from '#shared/contract/recognition/recognition.ts'
import { verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import type { Problem } from '#shared/problem.ts'
import { fakeJpeg } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { newVerification, problemOf } from '../../../support/visit.ts'

const composed = 'Pr\u00fcfung'
const decomposed = 'Pru\u0308fung'
const kelvin = '300 \u212a'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const create = (name: string) => host.call(createVerification, { body: { name } })
const nameOf = async (verificationId: string) =>
  (await host.call(getVerification, { query: { verificationId } })).verification.name

/** A verification as 0.2.0 stored it, under the exact name that was sent. */
async function storedBefore(name: string): Promise<string> {
  const verificationId = await newVerification(host)
  const { accountId, store } = host
  const details = createTable<{ name: string }>(store, 'verification')
  const names = createTable<string>(store, 'verification-name')
  const before = (await details.get(accountId, verificationId))!
  await names.remove(accountId, before.name.normalize('NFC'))
  await details.put(accountId, verificationId, { ...before, name })
  await names.put(accountId, name, verificationId)
  return verificationId
}

describe('the name of a verification', () => {
  test('is stored and returned as it was sent, and equal to every Unicode form of it', async () => {
    const { verificationId } = await create(decomposed)
    expect(await nameOf(verificationId)).toBe(decomposed)
    expect(await problemOf(create(composed))).toBe('conflict')
    const again = await host.call(createOrUpdateVerification, { body: { name: composed } })
    expect(again).toEqual({ verificationId, wasCreated: false })
    expect(await nameOf(verificationId)).toBe(decomposed)
    await host.call(updateVerification, { body: { verificationId, name: composed } })
    expect(await nameOf(verificationId)).toBe(composed)
    await host.call(deleteVerification, { query: { verificationId } })
    await host.call(deleteVerification, { query: await create(decomposed) })
  })

  test('is equal to an ASCII text that a single character composes to', async () => {
    await create(kelvin)
    expect(await problemOf(create('300 K'))).toBe('conflict')
  })

  test('cannot be given to two at once, in any form', async () => {
    const made = await Promise.allSettled([create('Caf\u00e9'), create('Cafe\u0301'), create('Caf\u00e9')])
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('of 0.2.0 is found by any form, renamed and removed', async () => {
    const old = 'Gro\u0308\u00dfe'
    const verificationId = await storedBefore(old)
    expect(await problemOf(create(old.normalize('NFC')))).toBe('conflict')
    await host.call(updateVerification, { body: { verificationId, name: 'another' } })
    const { verificationId: free } = await create(old)
    expect(await nameOf(free)).toBe(old)
  })

  test('that 0.2.0 stored twice in two forms finds each as it was stored, and the start lists them', async () => {
    const [one, other] = [await storedBefore('Te\u0301l\u00e9'), await storedBefore('T\u00e9l\u00e9')]
    const found = (name: string) => host.call(createOrUpdateVerification, { body: { name } })
    expect([
      (await found('Te\u0301l\u00e9')).verificationId,
      (await found('T\u00e9l\u00e9')).verificationId,
    ]).toEqual([one, other])
    expect(await problemOf(create('Te\u0301le\u0301'))).toBe('conflict')
    const equal = await findEqualNames(
      host.services.accounts,
      createVerificationStore(host.store),
      host.services.recognition.access,
    )
    expect(equal).toEqual([
      { kind: 'verifications', names: expect.arrayContaining(['Te\u0301l\u00e9', 'T\u00e9l\u00e9']) },
    ])
  })
})

describe('the id of a collection', () => {
  test('is equal to every form of it, in each call', async () => {
    const collection = { collectionId: `members ${decomposed}` }
    const other = { collectionId: `members ${composed}` }
    await host.call(createCollection, { body: collection })
    expect(await problemOf(host.call(createCollection, { body: other }))).toBe('conflict')
    await host.call(updateCollection, { body: { ...other, description: 'both' } })
    const { recognitionCollection } = await host.call(getCollection, { query: other })
    expect(recognitionCollection).toMatchObject({ ...collection, description: 'both' })
    const image = { bytes: Buffer.from(fakeJpeg({ person: 'anna' })).toString('base64') }
    const { faceId } = await host.call(indexFace, { body: { image, ...other } })
    const query = { collectionName: other.collectionId, includeDemographicalInfo: false }
    const duplicate = await host.call(verifyDuplicate, { query, body: { imageData: image.bytes } })
    expect(duplicate).toMatchObject({ isDuplicate: true, faceId })
    await host.call(deleteCollection, { query: other })
    expect(await problemOf(host.call(getCollection, { query: collection }))).toBe('not_found')
  })

  test('cannot be created twice at once', async () => {
    const ids = ['e\u0301', '\u00e9', 'e\u0301'].map((id) => `race ${id}`)
    const made = await Promise.allSettled(
      ids.map((collectionId) => host.call(createCollection, { body: { collectionId } })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a new identifier', () => {
  const odd = 'Bo\u200bb'
  const image = { bytes: Buffer.from(fakeJpeg({ person: 'bert' })).toString('base64') }
  const inMembers = { image, collectionId: 'members' }
  const failed = (made: Promise<unknown>): Promise<Problem> =>
    made.then(
      () => expect.fail(),
      (error) => error,
    )

  test('is refused with a pointer in every place', async () => {
    const verificationId = await newVerification(host)
    await host.call(createCollection, { body: { collectionId: 'members' } })
    const { faceId } = await host.call(indexFace, { body: inMembers })
    const imageData = image.bytes
    const duplicates = { collectionName: 'members', includeDemographicalInfo: false }
    const writes: [pointer: string, make: () => Promise<unknown>][] = [
      ['#/name', () => create(odd)],
      ['#/name', () => host.call(createOrUpdateVerification, { body: { name: odd } })],
      ['#/name', () => host.call(updateVerification, { body: { verificationId, name: odd } })],
      ['#/collectionId', () => host.call(createCollection, { body: { collectionId: odd } })],
      ['#/externalId', () => host.call(indexFace, { body: { ...inMembers, externalId: odd } })],
      ['#/externalId', () => host.call(searchOrIndexFace, { body: { ...inMembers, externalId: odd } })],
      [
        '#/externalId',
        () => host.call(updateFace, { body: { collectionId: 'members', faceId: faceId!, externalId: odd } }),
      ],
      [
        '#/query/collectionName',
        () =>
          host.call(verifyDuplicate, { query: { ...duplicates, collectionName: odd }, body: { imageData } }),
      ],
      [
        '#/query/externalIdentifier',
        () =>
          host.call(verifyDuplicate, {
            query: { ...duplicates, externalIdentifier: odd },
            body: { imageData },
          }),
      ],
      ['#/externalId', () => host.call(createSession, { body: { verificationId, externalId: odd } })],
      ['#/name', () => host.call(createKey, { body: { name: odd, scopes: [] } })],
      ['#/name', () => host.call(updateAccount, { body: { name: odd } })],
      ['#/displayName', () => host.call(updateAccount, { body: { displayName: odd } })],
      ['#/name', () => host.call(createKiosk, { body: { name: odd, verificationId } })],
    ]
    for (const [pointer, make] of writes)
      expect((await failed(make())).errors).toEqual([
        { pointer, message: 'Must not contain invisible characters.' },
      ])
  })

  test('that is stored is never refused, looked up as before, and may be sent unchanged', async () => {
    const verificationId = await storedBefore(odd)
    await host.call(updateVerification, { body: { verificationId, name: odd, verificationConfig: {} } })
    await host.call(createOrUpdateVerification, { body: { name: odd } })
    const { access } = host.services.recognition
    await access.change(host.accountId, odd, async (_, writer) => ({
      answer: undefined,
      change: writer.make(),
    }))
    await host.call(updateCollection, { body: { collectionId: odd, description: 'old' } })
    await host.call(verifyDuplicate, {
      query: { collectionName: odd, includeDemographicalInfo: false },
      body: { imageData: image.bytes },
    })
    const person = ' ada'
    await access.change(host.accountId, odd, async (collection, writer) => {
      const face = await collection.page(1)
      return { answer: undefined, change: (await writer.rename(face[0]!.faceId, person))! }
    })
    await host.call(indexFace, { body: { image, collectionId: odd, externalId: person } })
    await host.call(createSession, { body: { verificationId, externalId: person } })
    await host.call(deleteCollection, { query: { collectionId: odd } })
    // The session is listed under its person, even though their faces are gone.
    await host.call(createSession, { body: { verificationId, externalId: person } })
  })
})
