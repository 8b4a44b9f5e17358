import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddingModel, embeddingModel } from '#models/rules/embedding.ts'
import { cosine, cosineOf, scoreOf } from '#models/rules/similarity.ts'
import { createMemoryGallery } from '#server/features/recognition/index/memory/memory-gallery.ts'
import { searchCandidates } from '#shared/contract/recognition/named-faces.ts'
import { getAllFaces, searchFace } from '#shared/contract/recognition/recognition.ts'
import { getToken } from '#shared/contract/security/security.ts'
import type { BodyOf } from '#shared/endpoint.ts'
import { embeddingOf } from '../../../../support/drawn/fake-analysis.ts'
import { imageOf, newCollection } from '../../../../support/drawn/gallery.ts'
import { randomEmbedding } from '../../../../support/drawn/random-face.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { answeredBox } from '../../../../support/seen.ts'
import { problemOf } from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const anna = { person: 'anna' }

interface Kept {
  readonly externalId?: string | null
  readonly embedding: Float32Array
}

/** A face that has this score against Anna's. */
function at(score: number, externalId: string | null = null): Kept {
  const [a, b] = [embeddingOf('anna'), embeddingOf('bert')]
  const near = cosineOf(score)
  return {
    externalId,
    embedding: Float32Array.from(a, (value, i) => value * near + b[i]! * Math.sqrt(1 - near ** 2)),
  }
}

const keep = (collectionId: string, faces: readonly Kept[]): Promise<readonly string[]> =>
  host.services.recognition.access.change(host.accountId, collectionId, async (_, writer) => {
    const added = writer.addSeveral(
      faces.map(({ externalId = null, embedding }) => ({ externalId, embeddingModel, embedding })),
    )
    return { answer: added.faceIds, change: added }
  })

const search = (
  collectionIds: readonly string[],
  given: Partial<BodyOf<typeof searchCandidates>> = {},
  scene: Parameters<typeof imageOf>[0] = anna,
) =>
  host.call(searchCandidates, {
    body: { image: imageOf(scene), collectionIds: [...collectionIds], ...given },
  })

async function filled(...faces: Kept[]) {
  const collectionId = await newCollection(host)
  return { collectionId, faceIds: await keep(collectionId, faces) }
}

describe('POST /v1/face/search-candidates', () => {
  test('returns people with similar faces in several collections, the most similar first', async () => {
    const one = await filled(at(85, 'b'), at(60, 'far'))
    const other = await filled(at(92, 'a'), at(81))
    const answer = await search([one.collectionId, other.collectionId])
    const { created } = (
      await host.call(getAllFaces, { query: { collectionId: other.collectionId, externalId: 'a' } })
    ).faces[0]!
    expect(answer).toEqual({
      face: { confidence: 0.93, boundingBox: answeredBox },
      hasFace: true,
      isComparable: true,
      unprocessedFaceCount: 0,
      quality: { unifiedScore: 100, components: expect.objectContaining({ sharpness: 100 }) },
      candidates: [
        {
          collectionId: other.collectionId,
          faceId: other.faceIds[0],
          externalId: 'a',
          similarity: expect.closeTo(92, 3),
          indexedAt: created,
        },
        expect.objectContaining({ collectionId: one.collectionId, faceId: one.faceIds[0], externalId: 'b' }),
        expect.objectContaining({
          faceId: other.faceIds[1],
          externalId: null,
          similarity: expect.closeTo(81, 3),
        }),
      ],
    })
  })

  test('answers exactly 100 for the same picture', async () => {
    const { collectionId } = await filled(at(100), at(99.5))
    const { candidates } = await search([collectionId], { faceMatchThreshold: 90 })
    expect(candidates[0]!.similarity).toBe(100)
    expect(candidates[1]!.similarity).toBeLessThan(99.9)
  })

  test('returns nothing if no face is similar, or if there is no face', async () => {
    const { collectionId } = await filled(at(60))
    expect((await search([collectionId])).candidates).toEqual([])
    expect(await search([collectionId], {}, { person: null })).toEqual({
      face: null,
      hasFace: false,
      unprocessedFaceCount: 0,
      quality: null,
      candidates: [],
    })
    expect((await search([collectionId], {}, { ...anna, others: 3 })).unprocessedFaceCount).toBe(3)
  })

  test.each([
    [undefined, [92, 85, 81]],
    [70, [92, 85, 81, 72]],
    [90, [92]],
    [0, [92, 85, 81, 72, 12]],
    [100, []],
  ])('uses the threshold %s', async (faceMatchThreshold, scores) => {
    const { collectionId } = await filled(at(81), at(92), at(72), at(12), at(85))
    const { candidates } = await search(
      [collectionId],
      faceMatchThreshold === undefined ? {} : { faceMatchThreshold },
    )
    expect(candidates.map(({ similarity }) => Math.round(similarity))).toEqual(scores)
  })

  test('returns ten by default, else the requested number', async () => {
    const { collectionId } = await filled(...Array.from({ length: 12 }, (_, i) => at(82 + i)))
    expect((await search([collectionId])).candidates).toHaveLength(10)
    const few = await search([collectionId], { maxCandidates: 2 })
    expect(few.candidates.map(({ similarity }) => Math.round(similarity))).toEqual([93, 92])
    expect((await search([collectionId], { maxCandidates: 100 })).candidates).toHaveLength(12)
  })

  test('returns only the best sample of each named person over all collections, and every unnamed face', async () => {
    const one = await filled(at(84, 'a'), at(96, 'b'), at(83), at(82))
    const other = await filled(at(91, 'a'), at(90, 'b'))
    const { candidates } = await search([one.collectionId, other.collectionId], { onePerExternalId: true })
    expect(candidates.map(({ faceId }) => faceId)).toEqual([
      one.faceIds[1],
      other.faceIds[0],
      one.faceIds[2],
      one.faceIds[3],
    ])
  })

  test('fills its places with people, however many samples the first ones have', async () => {
    const samples = Array.from({ length: 300 }, () => at(95, 'often'))
    const { collectionId, faceIds } = await filled(...samples, at(90, 'once'), at(85, 'rarely'))
    const { candidates } = await search([collectionId], { onePerExternalId: true, maxCandidates: 3 })
    expect(candidates.map(({ externalId }) => externalId)).toEqual(['often', 'once', 'rarely'])
    expect(candidates[0]!.faceId).toBe(faceIds.slice(0, 300).toSorted()[0])
  })

  test.each([40, 700])('of %i equally similar ones returns the first by faceId', async (count) => {
    const { collectionId, faceIds } = await filled(...Array.from({ length: count }, () => at(90)))
    const { candidates } = await search([collectionId], { maxCandidates: 7 })
    expect(candidates.map(({ faceId }) => faceId)).toEqual(faceIds.toSorted().slice(0, 7))
  })

  test('finds the same faces as a scan of all, and the one that face/search finds first', async () => {
    const strangers = Array.from({ length: 900 }, (_, i) => ({ embedding: randomEmbedding(i) }))
    const faces = [...strangers, ...Array.from({ length: 60 }, (_, i) => at(20 + i * 1.3, `p${i % 20}`))]
    const { collectionId, faceIds } = await filled(...faces)
    const query = embeddingOf('anna')
    const scanned = faces
      .map(({ embedding }, i) => ({ faceId: faceIds[i]!, score: scoreOf(cosine(embedding, query)) }))
      .filter(({ score }) => score >= 20)
      .sort((a, b) => b.score - a.score)
    const { candidates } = await search([collectionId], { faceMatchThreshold: 20, maxCandidates: 100 })
    expect(candidates.map(({ faceId }) => faceId)).toEqual(scanned.slice(0, 100).map(({ faceId }) => faceId))
    expect(candidates.map(({ similarity }) => similarity)).toEqual(
      scanned.slice(0, 100).map(({ score }) => expect.closeTo(score, 2)),
    )
    const { faceId } = await host.call(searchFace, { body: { collectionId, image: imageOf(anna) } })
    expect(candidates[0]!.faceId).toBe(faceId)
  })

  test('stores nothing', async () => {
    const { collectionId } = await filled(at(90))
    await search([collectionId])
    expect((await host.call(getAllFaces, { query: { collectionId } })).faceCount).toBe(1)
  })

  test('reports a missing collection before it analyses the picture, and refuses unknown names', async () => {
    const { collectionId } = await filled()
    const asked = (collectionIds: string[], more = {}) =>
      problemOf(host.call(searchCandidates, { body: { collectionIds, image: { bytes: 'AAAA' }, ...more } }))
    expect(await asked([collectionId, 'never there'])).toBe('not_found')
    expect(await asked([collectionId])).toBe('unreadable_image')
    expect(await asked([collectionId], { maxCandidate: 3 })).toBe('unknown_name')
  })

  test('points at the collection whose faces are of another network', async () => {
    const { collectionId } = await filled(at(90))
    const odd = await newCollection(host)
    await host.services.recognition.access.change(host.accountId, odd, async (_, writer) => {
      const face = { externalId: null, embeddingModel: 'dlib-face/2', embedding: randomEmbedding(1, 128) }
      return { answer: undefined, change: writer.add(face) }
    })
    const problem = await search([collectionId, odd]).catch((error) => error)
    expect(problem.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['#/collectionIds/1'])
  })
})

describe('permission to call it', () => {
  const body = (collectionId: string) => ({ collectionIds: [collectionId], image: imageOf(anna) })

  test('is given by a key with the scope people, and not by analyse alone', async () => {
    const collectionId = await newCollection(host)
    const askWith = async (scope: 'people' | 'analyse') => {
      const { apiKey } = await host.services.accounts.keys.create(host.accountId, 'A key', [scope])
      return host.call(searchCandidates, { apiKey, body: body(collectionId) })
    }
    expect((await askWith('people')).hasFace).toBe(true)
    expect(await problemOf(askWith('analyse'))).toBe('forbidden')
  })

  test("is given by a bearer that may configure, and not by a visitor's", async () => {
    const collectionId = await newCollection(host)
    const { token: bearer } = await host.call(getToken, { query: {} })
    expect((await host.call(searchCandidates, { bearer, body: body(collectionId) })).hasFace).toBe(true)
    const { token: visitors } = await host.call(getToken, { query: { scope: 'analyse' } })
    const asked = host.call(searchCandidates, { bearer: visitors, body: body(collectionId) })
    expect(await problemOf(asked)).toBe('forbidden')
  })
})

describe('among more faces than the networks can distinguish', () => {
  /** An index that pretends to contain more faces. */
  const crowded = (faces: number) => (model: EmbeddingModel) =>
    Object.defineProperty(createMemoryGallery(model), 'comparableCount', { get: () => faces })

  test.each([
    [10_000, undefined],
    [10_001, ['galleryTooLarge']],
  ])('with %i, findings are %j', async (faces, findings) => {
    const other = await startHost({ ports: { createGallery: crowded(faces) } })
    const collectionId = await newCollection(other)
    const body = { image: imageOf(anna), collectionIds: [collectionId] }
    expect((await other.call(searchCandidates, { body })).findings).toEqual(findings)
    await other.close()
  })
})
