import { describe, expect, test } from 'vitest'
import { embeddingModel } from '#models/rules/embedding.ts'
import { searchThreshold } from '#models/rules/search-threshold.ts'
import { cosineOf } from '#models/rules/similarity.ts'
import { createCollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import {
  type PersonAnswer,
  type PersonQuestion,
  recognisePerson,
} from '#server/features/recognition/endpoints/recognise-person.ts'
import type { NewFace } from '#server/features/recognition/store/face.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { embeddingOf } from '../../../../support/drawn/fake-analysis.ts'
import { startHost } from '../../../../support/host.ts'
import { newVerification, visit } from '../../../../support/visit.ts'

function start() {
  const store = createMemoryStore()
  const access = createCollectionAccess(store, createKeyRing(Buffer.alloc(32, 1), 'EU'), Date.now)
  /** Stores a face `count` times, by default Anna's; the changes make it another person's or another network's. */
  const keep = async (face: Partial<NewFace>, count = 1) => {
    const stored = { externalId: null, embeddingModel, embedding: Float32Array.from(embeddingOf('anna')) }
    for (let i = 0; i < count; i++) {
      await access.change('a', 'c', async (_, writer) => {
        return { answer: undefined, change: writer.add({ ...stored, ...face }) }
      })
    }
  }
  const ask = (question: Partial<PersonQuestion>, accountId = 'a'): Promise<PersonAnswer> => {
    const whole = {
      collectionId: 'c',
      type: 'CalculationOnly',
      externalId: null,
      enroll: true,
      portrait: embeddingOf('anna'),
      ...question,
    } as const
    return access.use(accountId, whole.collectionId, async (collection, writer) => {
      const answer = await recognisePerson(collection, writer, whole)
      expect(await store.commit(answer.writes, answer.guards)).toBe(true)
      return answer
    })
  }
  return { store, ask, keep }
}

const anna = { portrait: embeddingOf('anna') }
const bert = { portrait: embeddingOf('bert') }

/** A face that has this score against `a`. */
function at(score: number): number[] {
  const [a, b] = [embeddingOf('anna'), embeddingOf('bert')]
  const cosine = cosineOf(score)
  return a.map((value, i) => value * cosine + b[i]! * Math.sqrt(1 - cosine ** 2))
}

describe('an external id that was stored before ids were normalised', () => {
  const before = 'Rene\u0301'
  const canonical = 'Ren\u00e9'

  test.each(['MatchVerification', 'UniqueMatchVerification'] as const)('is known to %s', async (type) => {
    const { ask, keep } = start()
    await keep({ externalId: before })
    const asked = { type, externalId: canonical, enroll: false }
    expect(await ask({ ...asked, ...anna })).toMatchObject({ reason: null })
    expect(await ask({ ...asked, ...bert })).toMatchObject({ reason: 'faceMismatch' })
  })
})

describe('CalculationOnly', () => {
  test('gives the same person the same faceId, and another person another', async () => {
    const { ask } = start()
    const first = await ask(anna)
    expect(first.reason).toBeNull()
    expect((await ask(anna)).faceId).toBe(first.faceId)
    expect((await ask(bert)).faceId).not.toBe(first.faceId)
  })

  test.each([
    [80.01, true],
    [79.99, false],
  ])('at a score of %f recognises: %s', async (score, same) => {
    const { ask } = start()
    const first = await ask(anna)
    expect((await ask({ portrait: at(score) })).faceId === first.faceId).toBe(same)
  })

  test('stores one face when the same one comes twenty times at once', async () => {
    const { ask } = start()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(anna)))
    expect(new Set(answers.map(({ faceId }) => faceId)).size).toBe(1)
  })

  test('keeps collections and accounts apart', async () => {
    const { ask } = start()
    const { faceId } = await ask(anna)
    expect((await ask({ ...anna, collectionId: 'd' })).faceId).not.toBe(faceId)
    expect((await ask(anna, 'b')).faceId).not.toBe(faceId)
  })
})

describe('DuplicateVerification', () => {
  test('stores a new face and fails when it is known', async () => {
    const { ask } = start()
    const first = await ask({ type: 'DuplicateVerification', ...anna })
    expect(first.reason).toBeNull()
    expect(await ask({ type: 'DuplicateVerification', ...anna })).toMatchObject({
      reason: 'duplicateFace',
      faceId: first.faceId,
    })
  })
})

describe.each(['MatchVerification', 'UniqueMatchVerification'] as const)('%s', (type) => {
  test('needs an external id', async () => {
    expect((await start().ask({ type })).reason).toBe('externalIdMissing')
  })

  test('enrols an unknown id, then compares with its face', async () => {
    const { ask } = start()
    const first = await ask({ type, externalId: 'id-1', ...anna })
    expect(first.reason).toBeNull()
    expect(await ask({ type, externalId: 'id-1', ...anna })).toMatchObject({
      reason: null,
      faceId: first.faceId,
    })
    expect((await ask({ type, externalId: 'id-1', ...bert })).reason).toBe('faceMismatch')
  })

  test('fails for an unknown id if it must not be enrolled, and stores nothing', async () => {
    const { ask } = start()
    const refused = await ask({ type, externalId: 'id-1', enroll: false, ...anna })
    expect(refused).toMatchObject({ reason: 'externalIdUnknown', writes: [] })
  })

  test('with the face of another id', async () => {
    const { ask } = start()
    await ask({ type, externalId: 'id-1', ...anna })
    const { reason } = await ask({ type, externalId: 'id-2', ...anna })
    expect(reason).toBe(type === 'UniqueMatchVerification' ? 'duplicateFace' : null)
  })
})

describe('UniqueMatchVerification in a collection with non-unique ids', () => {
  const unique = { type: 'UniqueMatchVerification', externalId: 'id-1' } as const
  const embedding = (score: number) => Float32Array.from(at(score))

  test('finds the other id behind a closer face without one', async () => {
    const { ask, keep } = start()
    await keep({ embedding: embedding(99) })
    await keep({ externalId: 'id-2', embedding: embedding(90) })
    expect((await ask({ ...unique, ...anna })).reason).toBe('duplicateFace')
  })

  test('enrols a face that is known without an id', async () => {
    const { ask, keep } = start()
    await keep({ embedding: embedding(99) })
    expect((await ask({ ...unique, ...anna })).reason).toBeNull()
  })

  test.each([
    [85, 95, 'duplicateFace'],
    [95, 85, null],
  ])('own face at %d and that of another id at %d gives %j', async (own, other, reason) => {
    const { ask, keep } = start()
    await keep({ externalId: 'id-1', embedding: embedding(own) })
    await keep({ externalId: 'id-2', embedding: embedding(other) })
    expect((await ask({ ...unique, ...anna })).reason).toBe(reason)
    expect((await ask({ ...unique, type: 'MatchVerification', ...anna })).reason).toBeNull()
  })
})

describe('a collection of another embedding model', () => {
  const old = { externalId: 'id-1', embeddingModel: 'xx-feature/2' }

  test.each(['CalculationOnly', 'DuplicateVerification', 'MatchVerification'] as const)(
    'is not searched, and nothing is added to it: %s',
    async (type) => {
      const { store, ask, keep } = start()
      await keep(old)
      const before = await store.get('collection/a/c')
      await expect(ask({ type, externalId: 'id-1', ...anna })).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '#/collectionId', message: expect.stringMatching(/xx-feature.*fr-feature/) }],
      })
      expect(await store.get('collection/a/c')).toEqual(before)
    },
  )

  test('cannot be passed off as one of this', async () => {
    const { store, ask, keep } = start()
    await keep(old)
    for (const prefix of ['face/', 'collection/']) {
      for await (const { key, value } of store.list(prefix)) {
        const text = Buffer.from(value).toString('latin1').replace(old.embeddingModel, embeddingModel)
        await store.put(key, Buffer.from(text, 'latin1'))
      }
    }
    await expect(ask(anna)).rejects.toThrow()
  })
})

test('a search requires a higher score the more faces there are', async () => {
  const { ask, keep } = start()
  await keep({})
  await keep({ embedding: Float32Array.from(embeddingOf('anna'), (value) => -value) }, 315)
  expect((await ask({ type: 'DuplicateVerification', portrait: at(85.1) })).reason).toBe('duplicateFace')
  expect((await ask({ type: 'DuplicateVerification', portrait: at(84.9) })).reason).toBeNull()
})

test('an embedding is never stored in clear text', async () => {
  const { store, ask } = start()
  await ask({ externalId: 'somebody@example', ...anna })
  const plain = Buffer.from(Float32Array.from(embeddingOf('anna')).buffer)
    .toString('base64')
    .slice(0, 60)
  for await (const { value } of store.list('')) {
    const text = Buffer.from(value).toString()
    expect(text).not.toContain('somebody@example')
    expect(text).not.toContain(plain)
    expect(text).not.toContain('0,0,0,0')
  }
})

test.each([
  [0, 80, false],
  [100, 80, false],
  [316, 85, false],
  [1000, 90, false],
  [1001, 90, true],
  [3163, 92.5, true],
  [10_000, 95, true],
  [10_001, 95, true],
  [1_000_000, 95, true],
])('a search among %i faces requires a score of %i', (size, score, galleryTooLarge) => {
  const found = searchThreshold(size)
  expect(found.score).toBeCloseTo(score, 1)
  expect(found.galleryTooLarge).toBe(galleryTooLarge)
})

describe('a session with face recognition', () => {
  test('recognises the second visit, and does not enrol a failed one', async () => {
    const host = await startHost()
    const verificationId = await newVerification(host, {
      verifierConfigs: { faceRecognition: { type: 'CalculationOnly' } },
    })
    const first = await visit(host, verificationId, { person: 'anna' })
    const second = await visit(host, verificationId, { person: 'anna' })
    expect(first.result).toMatchObject({ faceRecognitionResult: 'Pass', verificationResult: 'Pass' })
    expect(second.result.faceId).toBe(first.result.faceId)
    const nobody = await visit(host, verificationId, { person: null })
    expect(nobody.result).toMatchObject({
      faceRecognitionResult: 'NotExecuted',
      verificationFailedReasons: ['noFace'],
    })
    await host.close()
  })

  test('fails for a mismatch with its external id', async () => {
    const host = await startHost()
    const verificationId = await newVerification(host, {
      verifierConfigs: { faceRecognition: { type: 'MatchVerification' } },
    })
    await visit(host, verificationId, { person: 'anna' }, 'reExternalId=7')
    const { result } = await visit(host, verificationId, { person: 'bert' }, 'reExternalId=7')
    expect(result).toMatchObject({
      faceRecognitionResult: 'Fail',
      verificationFailedReasons: ['faceMismatch'],
    })
    const missing = await visit(host, verificationId, { person: 'anna' })
    expect(missing.result.verificationFailedReasons).toEqual(['externalIdMissing'])
    const unknown = await visit(host, verificationId, { person: 'anna' }, 'reExternalId=8&reEnroll=false')
    expect(unknown.result.verificationFailedReasons).toEqual(['externalIdUnknown'])
    await host.close()
  })
})
