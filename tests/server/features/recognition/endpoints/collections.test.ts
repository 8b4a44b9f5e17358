import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { deleteVerification } from '#shared/contract/configuration/verification.ts'
import {
  createCollection,
  deleteCollection,
  getAllCollections,
  getCollection,
  indexFace,
  searchFace,
  updateCollection,
} from '#shared/contract/recognition/recognition.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { createFakeAnalysis } from '../../../../support/drawn/fake-analysis.ts'
import { addFace, imageOf, newCollection } from '../../../../support/drawn/gallery.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, openSession, problemOf, submit, visit } from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const anna = { person: 'anna' }
const read = async (collectionId: string, on = host) =>
  (await on.call(getCollection, { query: { collectionId } })).recognitionCollection
const update = (body: { collectionId: string; description?: string | null }) =>
  host.call(updateCollection, { body })
const remove = (collectionId: string) => host.call(deleteCollection, { query: { collectionId } })
const search = (collectionId: string) =>
  host.call(searchFace, { body: { collectionId, image: imageOf(anna) } })

describe('POST /v1/collection/create', () => {
  test('returns the id, and the collection exists', async () => {
    const body = { collectionId: 'members', description: 'Everybody' }
    expect(await host.call(createCollection, { body })).toEqual({ collectionId: 'members' })
    const { createdAt, updatedAt, ...rest } = await read('members')
    expect(rest).toEqual(body)
    expect(new Date(createdAt).toISOString()).toBe(createdAt)
    expect(updatedAt).toBe(createdAt)
  })

  test.each([[{ description: null }], [{}]])('has no description with %j', async (description) => {
    const collectionId = `plain ${JSON.stringify(description)}`
    await host.call(createCollection, { body: { collectionId, ...description } })
    expect((await read(collectionId)).description).toBeNull()
  })

  test.each(['a b', '/', '?x=1&y=2', '%2F', '../../..', 'Ünïcödé ☃ 🙂', 'a+b'])(
    'takes %j literally',
    async (collectionId) => {
      await host.call(createCollection, { body: { collectionId } })
      expect((await read(collectionId)).collectionId).toBe(collectionId)
    },
  )

  test('answers 409 to an existing id, even when twenty come at once', async () => {
    const body = { collectionId: 'twins' }
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => problemOf(host.call(createCollection, { body }))),
    )
    expect(codes.filter((code) => code === 'no problem')).toHaveLength(1)
    expect(codes.filter((code) => code === 'conflict')).toHaveLength(19)
  })

  test('leaves an existing collection unchanged', async () => {
    const collectionId = await newCollection(host)
    await update({ collectionId, description: 'first' })
    const faceId = await addFace(host, collectionId, anna)
    await problemOf(host.call(createCollection, { body: { collectionId, description: 'second' } }))
    expect((await read(collectionId)).description).toBe('first')
    expect((await search(collectionId)).faceId).toBe(faceId)
  })

  test('accepts a bearer', async () => {
    const { token } = await host.call(getToken, { query: {} })
    await host.call(createCollection, { body: { collectionId: 'by bearer' }, bearer: token })
    expect((await read('by bearer')).collectionId).toBe('by bearer')
  })
})

describe('PUT /v1/collection/update', () => {
  test('changes the description and nothing else', async () => {
    const collectionId = await newCollection(host)
    const faceId = await addFace(host, collectionId, anna)
    const { createdAt } = await read(collectionId)
    host.pass(1000)
    expect(await update({ collectionId, description: 'new' })).toEqual({ collectionId })
    const after = await read(collectionId)
    expect(after).toMatchObject({ collectionId, description: 'new', createdAt })
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(createdAt))
    expect((await search(collectionId)).faceId).toBe(faceId)
  })

  test.each([
    [{ description: null }, null],
    [{}, 'old'],
    [{ description: '' }, ''],
  ])('with %j leaves the description %j', async (change, description) => {
    const collectionId = await newCollection(host)
    await update({ collectionId, description: 'old' })
    await update({ collectionId, ...change })
    expect((await read(collectionId)).description).toBe(description)
  })

  test('does not happen when a face is added', async () => {
    const collectionId = await newCollection(host)
    const { updatedAt } = await read(collectionId)
    host.pass(1000)
    await addFace(host, collectionId, anna)
    expect((await read(collectionId)).updatedAt).toBe(updatedAt)
  })
})

describe('GET /v1/collection/get-all', () => {
  test("lists the account's collections, the oldest first, without descriptions", async () => {
    const other = await startHost()
    expect(await other.call(getAllCollections, {})).toEqual({ collections: [] })
    for (const collectionId of ['b', 'c', 'a']) {
      await other.call(createCollection, { body: { collectionId } })
      other.pass(1000)
    }
    const { collections } = await other.call(getAllCollections, {})
    expect(collections.map(({ collectionId }) => collectionId)).toEqual(['b', 'c', 'a'])
    expect(Object.keys(collections[0]!)).toEqual(['collectionId', 'createdAt', 'updatedAt'])
    const { apiKey } = await other.services.accounts.create('Another account')
    expect((await other.call(getAllCollections, { apiKey })).collections).toEqual([])
    await other.close()
  })
})

describe('DELETE /v1/collection/delete', () => {
  test('removes the collection with its key and every face', async () => {
    const other = await startHost()
    const before = await keysOf(other)
    await other.call(createCollection, { body: { collectionId: 'c' } })
    for (const person of ['anna', 'bert', 'carl']) await addFace(other, 'c', { person })
    expect((await keysOf(other)).length).toBe(before.length + 1 + 2 * 3)
    expect(await other.call(deleteCollection, { query: { collectionId: 'c' } })).toEqual({})
    expect(await keysOf(other)).toEqual(before)
    await expect(read('c', other)).rejects.toMatchObject({ code: 'not_found' })
    await other.close()
  })

  test('is a 200 for a missing or deleted one', async () => {
    const collectionId = await newCollection(host)
    expect(await remove('never there')).toEqual({})
    await remove(collectionId)
    expect(await remove(collectionId)).toEqual({})
  })

  test('leaves nothing for a new collection with the same id', async () => {
    const collectionId = await newCollection(host)
    await addFace(host, collectionId, anna)
    await search(collectionId)
    await remove(collectionId)
    await host.call(createCollection, { body: { collectionId } })
    expect(await search(collectionId)).toMatchObject({ hasFace: true, faceId: null })
  })

  test("does not touch another account's", async () => {
    const collectionId = await newCollection(host)
    const { apiKey } = await host.services.accounts.create('Another account')
    await host.call(deleteCollection, { query: { collectionId }, apiKey })
    expect((await read(collectionId)).collectionId).toBe(collectionId)
  })

  test('accepts no face that is being added', async () => {
    const collectionId = await newCollection(host)
    const [added] = await Promise.all([
      problemOf(host.call(indexFace, { body: { collectionId, image: imageOf(anna) } })),
      remove(collectionId),
    ])
    expect(['no problem', 'not_found']).toContain(added)
    await host.call(createCollection, { body: { collectionId } })
    expect((await search(collectionId)).faceId).toBeNull()
  })
})

describe('an erasure that is interrupted by a crash', () => {
  /** A store that can make its process die after a number of further commits. */
  function createMortalStore() {
    const store = createMemoryStore()
    let left = Number.POSITIVE_INFINITY
    const mortal: Store = {
      ...store,
      commit: (writes, guards) =>
        left-- > 0 ? store.commit(writes, guards) : Promise.reject(new Error('died')),
    }
    const dieAfter = (commits: number) => {
      left = commits
    }
    return { store, mortal, dieAfter }
  }

  const ways: [string, (on: Host) => Promise<string>, (id: string, on: Host) => Promise<unknown>][] = [
    [
      'of a collection',
      (on) => newCollection(on),
      (collectionId, on) => on.call(deleteCollection, { query: { collectionId } }),
    ],
    [
      'of a verification',
      (on) => newVerification(on),
      (verificationId, on) => on.call(deleteVerification, { query: { verificationId } }),
    ],
  ]

  test.each(ways)('is finished by the next start: %s', async (_name, make, erase) => {
    const { store, mortal, dieAfter } = createMortalStore()
    const dying = await startHost({ store: mortal })
    const nothing = await keysOf(dying)
    const collectionId = await make(dying)
    for (const person of ['anna', 'bert', 'carl']) await addFace(dying, collectionId, { person })
    dieAfter(1)
    expect(await problemOf(erase(collectionId, dying))).toBe('internal_error')
    await dying.close()
    const next = await startHost({ store })
    expect((await keysOf(next)).length).toBeGreaterThan(nothing.length)
    await next.services.recognition.finishErasures()
    expect(await keysOf(next)).toEqual(nothing)
    await next.close()
  })
})

/** All keys in the store that are related to faces. */
async function keysOf(of: Host): Promise<string[]> {
  const keys = []
  for await (const { key } of of.store.list('')) if (/^(collection|face)/.test(key)) keys.push(key)
  return keys
}

describe('the collection of a verification', () => {
  test('exists along with it, is searched like any other, and can be deleted', async () => {
    const verificationId = await newVerification(host, {
      verifierConfigs: { faceRecognition: { type: 'CalculationOnly' } },
    })
    expect((await read(verificationId)).collectionId).toBe(verificationId)
    expect((await search(verificationId)).faceId).toBeNull()
    const { result } = await visit(host, verificationId, anna)
    expect((await search(verificationId)).faceId).toBe(result.faceId)
    await remove(verificationId)
    const again = await visit(host, verificationId, anna)
    expect(again.result.faceId).not.toBe(result.faceId)
  })

  test('does not come back with a session that is decided while the verification is deleted', async () => {
    let beforeTheVerdict = async () => {}
    const analysis = createFakeAnalysis()
    const held: AnalysisService = {
      ...analysis,
      async analyse(...request) {
        await beforeTheVerdict()
        return analysis.analyse(...request)
      },
    }
    const other = await startHost({ ports: { analysis: held } })
    const before = await keysOf(other)
    const verificationId = await newVerification(other, {
      verifierConfigs: { faceRecognition: { type: 'CalculationOnly' } },
    })
    const opened = await openSession(other, verificationId)
    beforeTheVerdict = async () => {
      beforeTheVerdict = async () => {}
      await other.call(deleteVerification, { query: { verificationId } })
    }
    expect(await problemOf(submit(other, opened, anna))).toBe('session_expired')
    expect(await keysOf(other)).toEqual(before)
    await other.close()
  })
})
