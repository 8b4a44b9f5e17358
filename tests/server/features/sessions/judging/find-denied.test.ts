import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deletePerson, exportPerson } from '#shared/contract/account/person.ts'
import { createVerification, updateVerification } from '#shared/contract/configuration/verification.ts'
import type { FaceRecognitionType } from '#shared/contract/configuration/verification-config.ts'
import { createCollection, deleteCollection, getAllFaces } from '#shared/contract/recognition/recognition.ts'
import { submitSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { denyFace } from '#shared/contract/sessions/session-faces.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { frameOf, type Scene } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import {
  consent,
  newVerification,
  type Opened,
  openSession,
  problemOf,
  resultOf,
  submit,
} from '../../../../support/visit.ts'

const day = 24 * 3600_000

let host: Host
beforeEach(async () => {
  host = await startHost()
  await host.call(createCollection, { body: { collectionId: 'banned' } })
})
afterEach(() => host.close())

const denying = (denyMode?: 'fail' | 'review', type: FaceRecognitionType = 'CalculationOnly') =>
  newVerification(host, {
    verifierConfigs: {
      faceRecognition: { type, denyCollectionIds: ['banned'], ...(denyMode && { denyMode }) },
    },
    redirectConfig: { passedUrl: 'https://shop.example/in', failedUrl: 'https://shop.example/out' },
    resultParameterConfig: { includeFaceId: true },
  })

async function come(verificationId: string, person: string, query = '') {
  const opened = await openSession(host, verificationId, query)
  const submitted = await submit(host, opened, { person })
  return { opened, submitted, result: await resultOf(host, opened) }
}

/** Adds a person's face from a session. */
async function ban(person: string, more: object = {}) {
  const { opened } = await come(await denying(), person, `reExternalId=${person}`)
  const { verificationSessionId } = opened
  const body = { verificationSessionId, collectionId: 'banned', expiresInDays: 30, ...more }
  return { verificationSessionId, ...(await host.call(denyFace, { body })) }
}
const faces = async () => (await host.call(getAllFaces, { query: { collectionId: 'banned' } })).faces

describe('a face that must not pass', () => {
  test('ends the session with denied, and is named to those who may know, never in the redirect', async () => {
    const { faceId } = await ban('bert')
    const { result, submitted } = await come(await denying('fail'), 'bert')
    expect(result).toMatchObject({
      verificationResult: 'Fail',
      verificationFailedReasons: ['denied'],
      faceRecognitionResult: 'Fail',
      denied: { collectionId: 'banned', faceId, externalId: 'bert' },
    })
    expect(submitted.redirectUrl).toMatch(/^https:\/\/shop\.example\/out/)
    expect(submitted.redirectUrl).not.toContain(faceId)
    expect(submitted.redirectUrl).not.toContain('bert')
    const { result: other } = await come(await denying('fail'), 'anna')
    expect(other).toMatchObject({ verificationResult: 'Pass', findings: [] })
    expect(other).not.toHaveProperty('denied')
  })

  test('waits for a review by default, with the finding', async () => {
    await ban('bert')
    const { opened, result } = await come(await denying(), 'bert')
    const { verificationSessionId } = opened
    expect(result).toMatchObject({
      verificationResult: 'Pass',
      findings: expect.arrayContaining([{ kind: 'denied', verificationSessionId }]),
    })
    const wanted = await host.call(getSessions, { query: { review: 'wanted' } })
    expect(wanted.sessions.map((one) => one.verificationSessionId)).toEqual([verificationSessionId])
  })

  describe('in a first try that fails', () => {
    const send = ({ bearer }: Opened, scene: Scene, more: object = {}) => {
      const frames = [{ ...frameOf(scene), challengeStep: 0 }]
      return host.call(submitSession, { bearer, body: { frames, consent, acceptsRetry: true, ...more } })
    }
    /** A first try of two people, which fails; bert, who is denied, is in front. */
    async function tryFirst() {
      await ban('bert')
      const verificationId = await newVerification(host, {
        verifierConfigs: {
          commonSettings: { failOnMultipleFacesDetected: true },
          faceRecognition: { type: 'CalculationOnly', denyCollectionIds: ['banned'] },
        },
      })
      const opened = await openSession(host, verificationId)
      await send(opened, { person: 'bert', others: 1 })
      const { verificationSessionId } = opened
      return { opened, finding: { kind: 'denied', verificationSessionId } }
    }

    test('is a finding even if another person comes for the next one', async () => {
      const { opened, finding } = await tryFirst()
      await send(opened, { person: 'anna' }, { try: 2, acceptsRetry: false })
      const result = await resultOf(host, opened)
      expect(result.findings).toContainEqual(finding)
      expect(result.denied).toMatchObject({ externalId: 'bert' })
    })

    test('is a finding even if nobody comes back', async () => {
      const { opened, finding } = await tryFirst()
      host.pass(day / 24)
      const result = await resultOf(host, opened)
      expect(result.verificationFailedReasons).toEqual(['sessionExpired'])
      expect(result.findings).toContainEqual(finding)
    })
  })

  test('is not matched by a picture of it that is no living person', async () => {
    await ban('bert')
    const verificationId = await newVerification(host, {
      verifierConfigs: {
        liveness: { type: 'Verification' },
        faceRecognition: { type: 'CalculationOnly', denyCollectionIds: ['banned'], denyMode: 'fail' },
      },
    })
    const opened = await openSession(host, verificationId)
    await submit(host, opened, { person: 'bert', live: 0 })
    const { verificationFailedReasons } = await resultOf(host, opened)
    expect(verificationFailedReasons).toContain('livenessFailed')
    expect(verificationFailedReasons).not.toContain('denied')
  })

  test('leaves with its collection, which later sessions say', async () => {
    await ban('bert')
    const verificationId = await denying('fail')
    await host.call(deleteCollection, { query: { collectionId: 'banned' } })
    const { opened, result } = await come(verificationId, 'bert')
    expect(result).toMatchObject({
      verificationResult: 'Pass',
      findings: expect.arrayContaining([
        { kind: 'denySkipped', verificationSessionId: opened.verificationSessionId },
      ]),
    })
  })
})

describe('a face that a reviewer adds', () => {
  test('carries the external id, and is removed at its end', async () => {
    await ban('bert', { expiresInDays: 2, note: 'Twice' })
    expect(await faces()).toMatchObject([{ externalId: 'bert' }])
    await host.services.expireDenied()
    expect(await faces()).toHaveLength(1)
    host.pass(2 * day + 1)
    await host.services.expireDenied()
    expect(await faces()).toEqual([])
  })

  test('does not bring back a collection that was deleted', async () => {
    await ban('bert')
    await host.call(deleteCollection, { query: { collectionId: 'banned' } })
    host.pass(30 * day + 1)
    await host.services.expireDenied()
    expect(await problemOf(faces())).toBe('not_found')
  })

  test('is in the export of the person, with the note', async () => {
    const { faceId } = await ban('bert', { note: 'Twice' })
    await ban('anna')
    const exported = async (externalId: string) =>
      (await host.call(exportPerson, { query: { externalId } })).deniedFaces
    const expiresAt = expect.any(String)
    expect(await exported('bert')).toEqual([{ collectionId: 'banned', faceId, note: 'Twice', expiresAt }])
    await host.call(deletePerson, { query: { externalId: 'bert' } })
    expect(await exported('bert')).toEqual([])
    expect(await exported('anna')).toHaveLength(1)
  })

  test('is erased with the person, and its name is gone from other results', async () => {
    const { faceId } = await ban('bert')
    const { opened } = await come(await denying(), 'bert')
    await host.call(deletePerson, { query: { externalId: 'bert' } })
    expect(await faces()).toEqual([])
    const { verificationSessionId } = opened
    const { denied } = await host.call(getSessionResult, { query: { verificationSessionId } })
    expect(denied).toEqual({ collectionId: 'banned', faceId, externalId: null })
  })

  test('goes only into a collection that the verification denies', async () => {
    await host.call(createCollection, { body: { collectionId: 'others' } })
    await expect(ban('bert', { collectionId: 'others' })).rejects.toMatchObject({
      errors: [{ pointer: '#/collectionId' }],
    })
  })
})

describe('a configuration', () => {
  const withDenied = (denyCollectionIds: string[], type: FaceRecognitionType = 'CalculationOnly') => ({
    verifierConfigs: { faceRecognition: { type, denyCollectionIds } },
  })
  const pointer = '#/verificationConfig/verifierConfigs/faceRecognition/denyCollectionIds'

  test('names collections that exist, wherever it is written', async () => {
    const unknown = { errors: [{ pointer: `${pointer}/1` }] }
    const verificationConfig = withDenied(['banned', 'none'])
    await expect(
      host.call(createVerification, { body: { name: 'a', verificationConfig } }),
    ).rejects.toMatchObject(unknown)
    const verificationId = await newVerification(host)
    await expect(
      host.call(updateVerification, { body: { verificationId, verificationConfig } }),
    ).rejects.toMatchObject(unknown)
    const { verifierConfigs } = verificationConfig
    await expect(
      host.call(createSession, { body: { verifierConfigs, collectionId: 'banned' } }),
    ).rejects.toMatchObject({
      errors: [{ pointer: '#/verifierConfigs/faceRecognition/denyCollectionIds/1' }],
    })
  })

  test('names at most five, and none if no face is recognised', async () => {
    const write = (verificationConfig: ReturnType<typeof withDenied>) =>
      host.call(createVerification, { body: { name: 'a', verificationConfig } })
    expect(await problemOf(write(withDenied(Array(6).fill('banned'))))).toBe('invalid_request')
    await expect(write(withDenied(['banned'], 'Disabled'))).rejects.toMatchObject({ errors: [{ pointer }] })
  })
})
