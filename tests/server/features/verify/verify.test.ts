import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddingModel } from '#models/rules/embedding.ts'
import { ageRangeOf, demographicalInfoOf } from '#server/features/verify/demographical-info.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import {
  getAllCollections,
  getCollection,
  searchFace,
  searchOrIndexFace,
} from '#shared/contract/recognition/recognition.ts'
import { getVerifyToken, resetCollection, verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import type { QueryOf } from '#shared/endpoint.ts'
import { embeddingOf } from '../../../support/drawn/fake-analysis.ts'
import type { Scene } from '../../../support/drawn/fake-picture.ts'
import { addFace, imageOf, newCollection } from '../../../support/drawn/gallery.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { problemOf } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const anna = { person: 'anna' }
const bert = { person: 'bert' }
const nobody = { person: null }

let names = 0
const newName = () => `verify ${++names}`

type Query = Partial<QueryOf<typeof verifyDuplicate>>
const verify = (collectionName: string, scene: Scene, query: Query = {}, on = host) =>
  on.call(verifyDuplicate, {
    query: { collectionName, includeDemographicalInfo: false, ...query },
    body: { imageData: imageOf(scene).bytes },
  })
const reset = (collectionName: string, entryLimit?: number) =>
  host.call(resetCollection, {
    query: { collectionName, ...(entryLimit === undefined ? {} : { entryLimit }) },
  })

describe('GET /api/v1/verify/get-token', () => {
  const get = (headers: Record<string, string>, query = '') =>
    host.fetch(`/api/v1/verify/get-token${query}`, { headers })

  test('returns the token as plain text, unquoted, whatever is accepted', async () => {
    for (const accept of ['*/*', 'application/json', 'text/plain']) {
      const answer = await get({ 'x-api-key': host.apiKey, accept })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(await answer.text()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    }
  })

  test('accepts the key in Authorization too, and no bearer', async () => {
    expect((await get({ authorization: `ApiKey ${host.apiKey}` })).status).toBe(200)
    const { token } = await host.call(getToken, { query: {} })
    expect((await get({ authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await get({ 'x-api-key': token })).status).toBe(401)
  })

  test.each([
    ['', 900],
    ['?expirationInSeconds=60', 60],
    ['?expirationInSeconds=3600', 3600],
  ])('with %j the token is valid for %d seconds', async (query, seconds) => {
    const token = await (await get({ 'x-api-key': host.apiKey }, query)).text()
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    expect(claims.exp - claims.iat).toBe(seconds)
  })

  test('returns a token with the permissions of a bearer', async () => {
    const bearer = await host.call(getVerifyToken, { query: {} })
    await host.call(getUtcNow, { bearer })
    await host.call(getAllCollections, { bearer })
  })
})

describe('POST /api/v1/verify/verify-duplicate', () => {
  test('creates the collection on first use, adds new faces and recognises known ones', async () => {
    const collectionName = newName()
    const first = await verify(collectionName, anna)
    const { telemetry, ...rest } = first
    expect(rest).toEqual({
      collectionName,
      faceId: expect.any(String),
      hasFace: true,
      isDuplicate: false,
      isCollectionFull: false,
    })
    for (const { name, durationInMilliseconds } of telemetry) {
      expect(name).toMatch(/^\w+$/)
      expect(durationInMilliseconds).toBeGreaterThanOrEqual(0)
    }
    expect(telemetry.length).toBeGreaterThan(0)
    const second = await verify(collectionName, anna)
    expect(second).toMatchObject({
      faceId: first.faceId,
      isDuplicate: true,
      externalIdentifierOfDuplicate: null,
    })
    expect((await verify(collectionName, bert)).isDuplicate).toBe(false)
  })

  test('returns the person of a known face, and stores the identifier of a new one only', async () => {
    const collectionName = newName()
    await verify(collectionName, anna, { externalIdentifier: 'user-1' })
    const again = await verify(collectionName, anna, { externalIdentifier: 'user-2' })
    expect(again.externalIdentifierOfDuplicate).toBe('user-1')
    const { recognition } = host.services
    expect(await recognition.removeByExternalId(host.accountId, 'user-2')).toBe(0)
    expect(await recognition.removeByExternalId(host.accountId, 'user-1')).toBe(1)
    expect((await verify(collectionName, anna)).isDuplicate).toBe(false)
  })

  test('treats an empty identifier as none', async () => {
    const collectionName = newName()
    await verify(collectionName, anna, { externalIdentifier: '' })
    expect((await verify(collectionName, anna)).externalIdentifierOfDuplicate).toBeNull()
  })

  test('works on the collections of face recognition', async () => {
    const collectionId = await newCollection(host)
    const faceId = await addFace(host, collectionId, anna)
    expect(await verify(collectionId, anna)).toMatchObject({ faceId, isDuplicate: true })
    const { faceId: berts } = await verify(collectionId, bert)
    const body = { collectionId, image: imageOf(bert) }
    expect((await host.call(searchFace, { body })).faceId).toBe(berts)
  })

  test('returns no face if there is none, and still creates the collection', async () => {
    const collectionName = newName()
    const { telemetry: _, ...rest } = await verify(collectionName, nobody)
    expect(rest).toEqual({
      collectionName,
      faceId: null,
      hasFace: false,
      isDuplicate: false,
      isCollectionFull: false,
    })
    await host.call(getCollection, { query: { collectionId: collectionName } })
    await verify(collectionName, nobody)
  })

  test('creates no collection for an unreadable picture', async () => {
    const collectionName = newName()
    const asked = host.call(verifyDuplicate, {
      query: { collectionName, includeDemographicalInfo: false },
      body: { imageData: 'AAAA' },
    })
    await expect(asked).rejects.toMatchObject({
      code: 'unreadable_image',
      errors: [{ pointer: '#/imageData' }],
    })
    const found = host.call(getCollection, { query: { collectionId: collectionName } })
    expect(await problemOf(found)).toBe('not_found')
  })

  test('estimates age and gender on request', async () => {
    const asked = { includeDemographicalInfo: true }
    expect((await verify(newName(), { ...anna, age: 33.7 }, asked)).demographicalInfo).toEqual({
      age: '25-34',
      gender: 'Female',
      genderConfidence: 0.8,
    })
    expect((await verify(newName(), nobody, asked)).demographicalInfo).toBeNull()
    expect(await verify(newName(), anna)).not.toHaveProperty('demographicalInfo')
  })

  test('of twenty requests at once with a new face one adds it', async () => {
    const collectionName = newName()
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(collectionName, anna)))
    expect(answers.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1)
    expect(new Set(answers.map(({ faceId }) => faceId)).size).toBe(1)
  })

  test('stores nothing when the collection is full, and still recognises its faces', async () => {
    const small = await startHost({ ports: { collectionLimit: 2 } })
    const on = (scene: Scene) => verify('small', scene, {}, small)
    expect((await on(anna)).isCollectionFull).toBe(false)
    expect((await on(bert)).isCollectionFull).toBe(false)
    const carl = { person: 'carl' }
    for (const _ of [1, 2]) {
      expect(await on(carl)).toMatchObject({ faceId: null, isDuplicate: false, isCollectionFull: true })
    }
    expect(await on(anna)).toMatchObject({ isDuplicate: true, isCollectionFull: true })
    expect((await on(nobody)).isCollectionFull).toBe(true)
    await small.close()
  })

  test.each([
    ['one below the limit', 2, { isCollectionFull: false, faceId: expect.any(String) }],
    ['the limit', 3, { isCollectionFull: true, faceId: null }],
    ['one above the limit', 4, { isCollectionFull: true, faceId: null }],
  ])('with %s in the collection adds: %o', async (_name, count, answer) => {
    const small = await startHost({ ports: { collectionLimit: 3 } })
    const collectionId = await newCollection(small)
    for (let i = 0; i < count; i++) await addFace(small, collectionId, { person: `person ${i}` })
    expect(await verify(collectionId, anna, {}, small)).toMatchObject({ isDuplicate: false, ...answer })
    const known = await verify(collectionId, { person: 'person 0' }, {}, small)
    expect(known).toMatchObject({ isDuplicate: true, isCollectionFull: true })
    const body = { collectionId, image: imageOf(bert) }
    expect(await small.call(searchOrIndexFace, { body })).toMatchObject({ resultSource: 'Index' })
    await small.close()
  })

  test('keeps the limit when twenty come at once', async () => {
    const small = await startHost({ ports: { collectionLimit: 5 } })
    const people = Array.from({ length: 20 }, (_, i) => ({ person: `person ${i}` }))
    const answers = await Promise.all(people.map((scene) => verify('small', scene, {}, small)))
    expect(answers.filter(({ faceId }) => faceId !== null)).toHaveLength(5)
    await small.close()
  })
})

describe('an age is returned as a range', () => {
  test.each([
    [0, '0-4'],
    [4.9, '0-4'],
    [5, '5-14'],
    [14.99, '5-14'],
    [24.9, '15-24'],
    [25, '25-34'],
    [34.99, '25-34'],
    [35, '35-44'],
    [101, '95-104'],
  ])('%f years are in %s', (years, range) => {
    expect(ageRangeOf(years)).toBe(range)
  })

  test.each([
    [0.9, 'Male'],
    [0.5, 'Male'],
    [0.25, 'Female'],
  ])('male by %f is %s with the measured confidence', (male, gender) => {
    const seen = { age: { prediction: 30, uncertainty: 0.5 }, gender: { male, confidence: 0.83 } }
    expect(demographicalInfoOf(seen as never)).toMatchObject({ gender, genderConfidence: 0.83 })
  })
})

describe('POST /api/v1/verify/reset-collection', () => {
  async function filled(count: number): Promise<string> {
    const collectionName = newName()
    for (let i = 0; i < count; i++) await verify(collectionName, { person: `person ${i}` })
    return collectionName
  }

  test('deletes at most `count`, and keeps the collection', async () => {
    const collectionName = await filled(5)
    expect(await reset(collectionName, 2)).toEqual({ numberOfEntriesDeleted: 2, errorMessage: null })
    expect(await reset(collectionName, 2)).toEqual({ numberOfEntriesDeleted: 2, errorMessage: null })
    expect(await reset(collectionName, 2)).toEqual({ numberOfEntriesDeleted: 1, errorMessage: null })
    expect(await reset(collectionName, 2)).toEqual({ numberOfEntriesDeleted: 0, errorMessage: null })
    await host.call(getCollection, { query: { collectionId: collectionName } })
    expect((await verify(collectionName, { person: 'person 0' })).isDuplicate).toBe(false)
  })

  test('deletes fifty without a limit', async () => {
    const collectionName = await filled(53)
    expect((await reset(collectionName)).numberOfEntriesDeleted).toBe(50)
    expect((await reset(collectionName)).numberOfEntriesDeleted).toBe(3)
  })

  test('no longer finds deleted faces, in a collection that was just searched', async () => {
    const collectionName = await filled(3)
    await verify(collectionName, { person: 'person 1' })
    await reset(collectionName)
    expect((await verify(collectionName, { person: 'person 1' })).isDuplicate).toBe(false)
  })

  test('reports a missing collection', async () => {
    const name = newName()
    expect(await reset(name)).toEqual({
      numberOfEntriesDeleted: 0,
      errorMessage: 'The collection does not exist.',
    })
    expect(await problemOf(host.call(getCollection, { query: { collectionId: name } }))).toBe('not_found')
  })
})

describe('a collection beyond the calibrated size of the scores', () => {
  test.each([
    [1000, undefined],
    [1001, true],
  ])('with %d faces says galleryTooLarge: %s', async (count, galleryTooLarge) => {
    const large = await startHost({ ports: { collectionLimit: 5000 } })
    const stranger = Float32Array.from(embeddingOf('anna'), (value) => -value)
    await large.services.recognition.access.change(large.accountId, 'large', async (_, writer) => {
      const face = { externalId: null, embeddingModel, embedding: stranger }
      return { answer: undefined, change: writer.addSeveral(Array.from({ length: count }, () => face)) }
    })
    const answer = await verify('large', anna, {}, large)
    expect(answer.isDuplicate).toBe(false)
    expect(answer.galleryTooLarge).toBe(galleryTooLarge)
    await large.close()
  })
})

test('a collection under constant change is a 503, which does not claim that the face was stored', async () => {
  const store = createMemoryStore()
  const busy = await startHost({
    store: {
      ...store,
      commit: async (writes, guards) =>
        writes.some(({ key }) => key.startsWith('face/')) ? false : store.commit(writes, guards),
    },
  })
  expect(await problemOf(verify('busy', anna, {}, busy))).toBe('overloaded')
  await busy.close()
})
