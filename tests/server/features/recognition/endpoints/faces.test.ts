import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddingModel } from '#models/rules/embedding.ts'
import { cosineOf } from '#models/rules/similarity.ts'
import {
  deleteFace,
  getAllFaces,
  indexFace,
  searchFace,
  searchOrIndexFace,
} from '#shared/contract/recognition/recognition.ts'
import { embeddingOf } from '../../../../support/drawn/fake-analysis.ts'
import { addFace, imageOf, newCollection } from '../../../../support/drawn/gallery.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { answeredBox } from '../../../../support/seen.ts'
import { problemOf } from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const anna = { person: 'anna' }
const bert = { person: 'bert' }
const nobody = { person: null }
const face = { confidence: 0.93, boundingBox: answeredBox }
const noFace = { face: null, faceId: null, hasFace: false, unprocessedFaceCount: 0 }

type Scene = Parameters<typeof imageOf>[0]
const send =
  <E extends typeof searchFace | typeof indexFace | typeof searchOrIndexFace>(endpoint: E) =>
  (collectionId: string, scene: Scene, faceMatchThreshold?: number) =>
    host.call(endpoint, {
      body: {
        collectionId,
        image: imageOf(scene),
        ...(faceMatchThreshold === undefined ? {} : { faceMatchThreshold }),
      },
    } as never)
const search = send(searchFace)
const index = send(indexFace)
const searchOrIndex = send(searchOrIndexFace)
const remove = (collectionId: string, faceId: string) =>
  host.call(deleteFace, { query: { collectionId, faceId } })

/** Stores a face that has this score against Anna's. */
async function keepAt(collectionId: string, score: number, externalId: string | null = null) {
  const [a, b] = [embeddingOf('anna'), embeddingOf('bert')]
  const cosine = cosineOf(score)
  const embedding = Float32Array.from(a, (value, i) => value * cosine + b[i]! * Math.sqrt(1 - cosine ** 2))
  return host.services.recognition.access.change(host.accountId, collectionId, async (_, writer) => {
    const added = writer.add({ externalId, embeddingModel, embedding })
    return { answer: added.faceId, change: added }
  })
}

describe('POST /v1/face/index', () => {
  test('adds the face and returns its position', async () => {
    const collectionId = await newCollection(host)
    const added = await index(collectionId, anna)
    expect(added).toEqual({
      face,
      faceId: expect.any(String),
      hasFace: true,
      isComparable: true,
      unprocessedFaceCount: 0,
    })
    expect((await search(collectionId, anna)).faceId).toBe(added.faceId)
  })

  test('adds the same face again under another id', async () => {
    const collectionId = await newCollection(host)
    const first = await index(collectionId, anna)
    const second = await index(collectionId, anna)
    expect(second.faceId).not.toBe(first.faceId)
    await remove(collectionId, first.faceId!)
    expect((await search(collectionId, anna)).faceId).toBe(second.faceId)
  })

  test('adds nothing if there is no face', async () => {
    const collectionId = await newCollection(host)
    expect(await index(collectionId, nobody)).toEqual(noFace)
    expect((await search(collectionId, anna, 0)).faceId).toBeNull()
  })

  test('adds each of twenty concurrent ones', async () => {
    const collectionId = await newCollection(host)
    const people = Array.from({ length: 20 }, (_, i) => ({ person: `person ${i}` }))
    const added = await Promise.all(people.map((scene) => index(collectionId, scene)))
    for (const [i, scene] of people.entries()) {
      expect((await search(collectionId, scene)).faceId).toBe(added[i]!.faceId)
    }
  })
})

describe('POST /v1/face/search', () => {
  test('finds a known face, and answers null for an unknown one', async () => {
    const collectionId = await newCollection(host)
    expect(await search(collectionId, anna)).toEqual({
      face,
      faceId: null,
      hasFace: true,
      isComparable: true,
      unprocessedFaceCount: 0,
    })
    const annas = await addFace(host, collectionId, anna)
    const berts = await addFace(host, collectionId, bert)
    expect((await search(collectionId, anna)).faceId).toBe(annas)
    expect((await search(collectionId, bert)).faceId).toBe(berts)
    expect((await search(collectionId, { person: 'carl' })).faceId).toBeNull()
  })

  test('counts the faces beside the dominant one', async () => {
    const collectionId = await newCollection(host)
    expect((await search(collectionId, { ...anna, others: 3 })).unprocessedFaceCount).toBe(3)
  })

  test('returns no face if there is none', async () => {
    expect(await search(await newCollection(host), nobody)).toEqual(noFace)
  })

  test.each([
    [80.01, undefined, true],
    [79.98, undefined, false],
    [70.01, 70, true],
    [69.98, 70, false],
    [94.98, 95, false],
    [95.01, 95, true],
    [0.01, 0, true],
    [-0.5, 0, false],
  ])('a face at %f, with a threshold of %s, is found: %s', async (score, threshold, isFound) => {
    const collectionId = await newCollection(host)
    const faceId = await keepAt(collectionId, score)
    expect((await search(collectionId, anna, threshold)).faceId).toBe(isFound ? faceId : null)
  })

  test('finds only the identical picture at a threshold of 100', async () => {
    const collectionId = await newCollection(host)
    await keepAt(collectionId, 99.5)
    expect((await search(collectionId, anna, 100)).faceId).toBeNull()
    const faceId = await addFace(host, collectionId, anna)
    expect((await search(collectionId, anna, 100)).faceId).toBe(faceId)
  })

  test('returns the most similar of several', async () => {
    const collectionId = await newCollection(host)
    await keepAt(collectionId, 85)
    const best = await keepAt(collectionId, 92)
    await keepAt(collectionId, 88)
    expect((await search(collectionId, anna)).faceId).toBe(best)
  })

  test('reports a missing collection before it analyses the picture', async () => {
    const image = { bytes: 'AAAA' }
    const asked = (collectionId: string) =>
      problemOf(host.call(searchFace, { body: { collectionId, image } }))
    expect(await asked('never there')).toBe('not_found')
    expect(await asked(await newCollection(host))).toBe('unreadable_image')
  })

  test("sees another process's additions, changes and removals", async () => {
    const other = await startHost({ store: host.store })
    const { apiKey } = host
    const collectionId = await newCollection(host)
    await search(collectionId, anna)
    const body = { collectionId, image: imageOf(anna) }
    const { faceId } = await other.call(indexFace, { body, apiKey })
    expect((await search(collectionId, anna)).faceId).toBe(faceId)
    await remove(collectionId, faceId!)
    expect((await other.call(searchFace, { body, apiKey })).faceId).toBeNull()
    await other.close()
  })
})

describe('POST /v1/face/search-or-index', () => {
  test('adds an unknown face and finds a known one', async () => {
    const collectionId = await newCollection(host)
    const first = await searchOrIndex(collectionId, anna)
    expect(first).toEqual({
      face,
      faceId: expect.any(String),
      hasFace: true,
      isComparable: true,
      unprocessedFaceCount: 0,
      resultSource: 'Index',
    })
    expect(await searchOrIndex(collectionId, anna)).toEqual({ ...first, resultSource: 'Search' })
    expect((await searchOrIndex(collectionId, bert)).resultSource).toBe('Index')
  })

  test('answers None if there is no face', async () => {
    expect(await searchOrIndex(await newCollection(host), nobody)).toEqual({
      ...noFace,
      resultSource: 'None',
    })
  })

  test('uses the given threshold', async () => {
    const collectionId = await newCollection(host)
    const faceId = await keepAt(collectionId, 85)
    expect(await searchOrIndex(collectionId, anna, 84)).toMatchObject({ faceId, resultSource: 'Search' })
    expect((await searchOrIndex(collectionId, anna, 86)).resultSource).toBe('Index')
  })

  test('of twenty requests at once with a new face one adds it', async () => {
    const collectionId = await newCollection(host)
    const answers = await Promise.all(Array.from({ length: 20 }, () => searchOrIndex(collectionId, anna)))
    expect(answers.filter(({ resultSource }) => resultSource === 'Index')).toHaveLength(1)
    expect(new Set(answers.map(({ faceId }) => faceId)).size).toBe(1)
  })

  test('of twenty requests at two processes one adds it', async () => {
    const other = await startHost({ store: host.store })
    const collectionId = await newCollection(host)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? host : other).call(searchOrIndexFace, {
          body: { collectionId, image: imageOf(anna) },
          apiKey: host.apiKey,
        }),
      ),
    )
    expect(answers.filter(({ resultSource }) => resultSource === 'Index')).toHaveLength(1)
    expect(new Set(answers.map(({ faceId }) => faceId)).size).toBe(1)
    await other.close()
  })
})

describe('DELETE /v1/face/delete', () => {
  test('removes the face, and leaves the others', async () => {
    const collectionId = await newCollection(host)
    const annas = await addFace(host, collectionId, anna)
    const berts = await addFace(host, collectionId, bert)
    expect(await remove(collectionId, annas)).toEqual({})
    expect((await search(collectionId, anna)).faceId).toBeNull()
    expect((await search(collectionId, bert)).faceId).toBe(berts)
  })

  test('is a 200 for a missing face, and removes no other', async () => {
    const collectionId = await newCollection(host)
    const elsewhere = await newCollection(host)
    const faceId = await addFace(host, elsewhere, anna)
    expect(await remove(collectionId, faceId)).toEqual({})
    expect(await remove(collectionId, 'never there')).toEqual({})
    expect((await search(elsewhere, anna)).faceId).toBe(faceId)
  })

  test('answers 404 if the collection does not exist', async () => {
    expect(await problemOf(remove('never there', 'x'))).toBe('not_found')
  })
})

describe('the faces of an external id', () => {
  const forget = (externalId: string) =>
    host.services.recognition.removeByExternalId(host.accountId, externalId)

  test('are removed from every collection of the account', async () => {
    const [one, two] = [await newCollection(host), await newCollection(host)]
    await keepAt(one, 99, 'id-1')
    await keepAt(one, 99, 'id-1')
    await keepAt(two, 99, 'id-1')
    const kept = await keepAt(two, 98, 'id-2')
    expect((await search(one, anna)).faceId).not.toBeNull()
    expect(await forget('id-1')).toBe(3)
    expect((await search(one, anna)).faceId).toBeNull()
    expect((await search(two, anna)).faceId).toBe(kept)
    expect(await forget('id-1')).toBe(0)
  })

  test('do not include faces that were reassigned while the collection was busy', async () => {
    const collectionId = await newCollection(host)
    const faceId = await keepAt(collectionId, 99, 'id-7')
    let rename: () => void = () => undefined
    const busy = new Promise<void>((resolve) => {
      rename = resolve
    })
    const { access } = host.services.recognition
    const renamed = access.change(host.accountId, collectionId, async (_, writer) => {
      await busy
      return { answer: undefined, change: (await writer.rename(faceId, 'id-8'))! }
    })
    const forgotten = forget('id-7')
    await new Promise((resolve) => setTimeout(resolve, 100))
    rename()
    await renamed
    expect(await forgotten).toBe(0)
    expect((await search(collectionId, anna)).faceId).toBe(faceId)
    expect(await forget('id-8')).toBe(1)
  })

  test('are not those of another account', async () => {
    const collectionId = await newCollection(host)
    const faceId = await keepAt(collectionId, 99, 'id-3')
    const { account } = await host.services.accounts.create('Another account')
    expect(await host.services.recognition.removeByExternalId(account.accountId, 'id-3')).toBe(0)
    expect((await search(collectionId, anna)).faceId).toBe(faceId)
  })

  test('leave no record behind', async () => {
    const before = await pointers()
    const collectionId = await newCollection(host)
    const faceId = await keepAt(collectionId, 99, 'id-4')
    await keepAt(collectionId, 99, 'id-5')
    expect(await pointers()).toHaveLength(before.length + 2)
    await remove(collectionId, faceId)
    await forget('id-5')
    expect(await pointers()).toEqual(before)
  })

  test('remain for an hour among the changes for other processes, by their random ids, and then nowhere', async () => {
    const own = await startHost()
    const { access, removeByExternalId } = own.services.recognition
    const collectionId = await newCollection(own)
    const faceId = await access.change(own.accountId, collectionId, async (_, writer) => {
      const embedding = Float32Array.from(embeddingOf('anna'))
      const added = writer.add({ externalId: 'id-6', embeddingModel, embedding })
      return { answer: added.faceId, change: added }
    })
    const places = async (trace: string) => {
      const kinds = new Set<string>()
      for await (const { key, value } of own.store.list('')) {
        if (Buffer.from(value).includes(trace)) kinds.add(key.split('/')[0]!)
      }
      return [...kinds].sort()
    }
    expect(await places(faceId)).toEqual(['face-by-external-id', 'face-change'])
    await removeByExternalId(own.accountId, 'id-6')
    expect(await places(faceId)).toEqual(['face-change'])
    expect(await places('id-6')).toEqual([])
    own.pass(3_601_000)
    await own.store.sweep()
    expect(await places(faceId)).toEqual([])
    await own.close()
  })

  async function pointers(): Promise<string[]> {
    const keys = []
    for await (const { key } of host.store.list('face-by-external-id/')) keys.push(key)
    return keys
  }
})

describe('GET /v1/face/get-all', () => {
  const list = (query: object) => host.call(getAllFaces, { query } as never)

  test('lists each face once, page by page, without embeddings', async () => {
    const collectionId = await newCollection(host)
    const kept = new Set<string>()
    for (let i = 0; i < 5; i++) kept.add(await keepAt(collectionId, 50, i === 0 ? 'user-1' : null))
    const first = await list({ collectionId, limit: '2' })
    const second = await list({ collectionId, limit: '2', cursor: first.nextCursor })
    const third = await list({ collectionId, limit: '2', cursor: second.nextCursor })
    const all = [first, second, third].flatMap(({ faces }) => faces)
    expect(new Set(all.map(({ faceId }) => faceId))).toEqual(kept)
    expect([first.faceCount, second.faceCount, third.nextCursor]).toEqual([5, null, null])
    expect(Object.keys(all[0]!).sort()).toEqual(['created', 'embeddingModel', 'externalId', 'faceId'])
    expect(all.filter(({ externalId }) => externalId === 'user-1')).toHaveLength(1)
  })

  test('ends exactly with the last one', async () => {
    const collectionId = await newCollection(host)
    for (let i = 0; i < 2; i++) await keepAt(collectionId, 50)
    expect((await list({ collectionId, limit: '2' })).nextCursor).toBeNull()
    expect(await list({ collectionId: await newCollection(host) })).toEqual({
      faces: [],
      nextCursor: null,
      faceCount: 0,
    })
  })

  test('finds those of an external id in this collection only, page by page', async () => {
    const collectionId = await newCollection(host)
    const other = await newCollection(host)
    const mine = new Set([
      await keepAt(collectionId, 50, 'user-2'),
      await keepAt(collectionId, 60, 'user-2'),
      await keepAt(collectionId, 70, 'user-2'),
    ])
    await keepAt(collectionId, 50, 'user-3')
    await keepAt(other, 50, 'user-2')
    const first = await list({ collectionId, externalId: 'user-2', limit: '2' })
    const rest = await list({ collectionId, externalId: 'user-2', limit: '2', cursor: first.nextCursor })
    expect(new Set([...first.faces, ...rest.faces].map(({ faceId }) => faceId))).toEqual(mine)
    expect([first.faceCount, rest.nextCursor]).toEqual([null, null])
    expect((await list({ collectionId, externalId: 'nobody' })).faces).toEqual([])
  })

  test('continues after a face of an external id that was deleted meanwhile', async () => {
    const collectionId = await newCollection(host)
    const mine: string[] = []
    for (let i = 0; i < 5; i++) mine.push(await keepAt(collectionId, 50 + i, 'user-9'))
    const asked = { collectionId, externalId: 'user-9', limit: '2' }
    const first = await list(asked)
    await remove(collectionId, first.nextCursor!)
    const second = await list({ ...asked, cursor: first.nextCursor })
    const third = await list({ ...asked, cursor: second.nextCursor })
    const listed = [first, second, third].flatMap(({ faces }) => faces.map(({ faceId }) => faceId))
    expect(listed.toSorted()).toEqual(mine.toSorted())
  })

  test('is limited to the account', async () => {
    const collectionId = await newCollection(host)
    const { apiKey } = await host.services.accounts.create('Stranger')
    expect(await problemOf(host.call(getAllFaces, { query: { collectionId }, apiKey } as never))).toBe(
      'not_found',
    )
  })
})
