import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddingModel } from '#models/rules/embedding.ts'
import { cosine, cosineOf } from '#models/rules/similarity.ts'
import {
  type PersonQuestion,
  recognisePerson,
} from '#server/features/recognition/endpoints/recognise-person.ts'
import { settleCollection } from '#server/features/recognition/model-change/settle-collection.ts'
import type { FaceServers, IndexKind } from '#server/features/recognition/recognition.ts'
import { exportCollection } from '#server/features/recognition/transfer/collection-export.ts'
import { importCollection } from '#server/features/recognition/transfer/collection-import.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { searchCandidates, updateFace } from '#shared/contract/recognition/named-faces.ts'
import {
  deleteCollection,
  deleteFace,
  getAllFaces,
  indexFace,
  searchFace,
  searchOrIndexFace,
} from '#shared/contract/recognition/recognition.ts'
import { accountId, visitCollections } from '../support/collection-visitor.ts'
import { imageOf, newCollection } from '../support/drawn/gallery.ts'
import { randomEmbedding } from '../support/drawn/random-face.ts'
import { type Host, startHost } from '../support/host.ts'
import { withCosine } from '../support/recognition/with-cosine.ts'
import { rememberPassphrases } from '../support/sealed-files/remembered-passphrases.ts'
import { formerAt, processOf, seen } from '../support/two-models.ts'
import { newVerification, visit as visitVerification } from '../support/visit.ts'

/** An index, opened the way a deployment does it. */
export interface IndexUnderTest {
  readonly faceServers?: FaceServers | undefined
  readonly faceIndex: IndexKind
}

const people = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
let collections = 0
const newId = () => `gallery ${++collections}`

/** A face that has the given cosine with a person. */
const near = (person: number, wanted: number, other = person + 500_000) =>
  withCosine(randomEmbedding(person), randomEmbedding(other), wanted)

/** The behaviour required of every face index, wherever it is stored. */
export function describeFaceIndex(name: string, indexUnderTest: () => Promise<IndexUnderTest>): void {
  describe(`${name}, as an index of faces`, () => {
    rememberPassphrases()
    let index: IndexUnderTest
    let host: Host
    beforeAll(async () => {
      index = await indexUnderTest()
      host = await startHost({ ports: { ...index } })
    })
    afterAll(() => host.close())
    const visit = (store = createMemoryStore()) => visitCollections(store, index)

    test('finds each of its faces, and no other', async () => {
      const [visitor, id] = [visit(), newId()]
      const faceIds = await visitor.addSeveral(id, people(0, 60))
      for (const person of [0, 17, 59]) expect(await visitor.find(id, person)).toBe(faceIds[person])
      expect(await visitor.find(id, 60)).toBeUndefined()
      expect(await visitor.count(id)).toEqual({ size: 60, comparableCount: 60 })
    })

    test('gives the same similarity as a comparison with every face, the most similar first', async () => {
      const [visitor, id] = [visit(), newId()]
      const wanted = [0.95, 0.8, 0.7, 0.6, 0.5, 0.45]
      const kept = [...wanted, 0.38].map((cosineWith, i) => near(1, cosineWith, 600_000 + i))
      await visitor.access.change(accountId, id, async (_, writer) => {
        const faces = kept.map((embedding, i) => ({ externalId: `p${i}`, embeddingModel, embedding }))
        return { answer: undefined, change: writer.addSeveral(faces) }
      })
      const found = await visitor.access.use(accountId, id, async (collection) =>
        (await collection.gallery()).nearest(randomEmbedding(1), cosineOf(80), 10),
      )
      expect(found.map(({ face }) => face.externalId)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5'])
      for (const [i, { likeness: told }] of found.entries())
        expect(told).toBeCloseTo(cosine(kept[i]!, randomEmbedding(1)), 5)
    })

    test('reflects additions, removals and renames by another process in the next search', async () => {
      const store = createMemoryStore()
      const [one, other, id] = [visit(store), visit(store), newId()]
      const faceIds = await one.addSeveral(id, people(0, 20))
      expect(await other.find(id, 7)).toBe(faceIds[7])
      const added = await one.add(id, 30)
      expect(await other.find(id, 30)).toBe(added)
      await one.remove(id, [added, faceIds[7]!])
      expect(await other.find(id, 30)).toBeUndefined()
      expect(await other.find(id, 7)).toBeUndefined()
      expect(await other.count(id)).toEqual({ size: 19, comparableCount: 19 })
    })

    test('recognises an external id in every Unicode form until its last face is removed', async () => {
      const [visitor, id] = [visit(), newId()]
      const faceId = await visitor.add(id, 1, 'Zo\u00eb')
      const knows = (externalId: string) =>
        visitor.access.use(accountId, id, async (collection) =>
          (await collection.gallery()).hasExternalId(externalId),
        )
      expect(await knows('Zoe\u0308')).toBe(true)
      expect(await knows('Zoe')).toBe(false)
      await visitor.remove(id, [faceId])
      expect(await knows('Zo\u00eb')).toBe(false)
    })

    test('searches among the faces of one external id, and among those of others', async () => {
      const [visitor, id] = [visit(), newId()]
      await visitor.add(id, 1, 'anna')
      await visitor.add(id, 2, 'bert')
      await visitor.add(id, 3)
      const among = (externalId: string, is: boolean, person: number) =>
        visitor.access.use(accountId, id, async (collection) => {
          const hit = await collection.closest({ first: randomEmbedding(person) }, 80, { externalId, is })
          return hit?.face.externalId
        })
      expect(await among('anna', true, 1)).toBe('anna')
      expect(await among('anna', true, 2)).toBeUndefined()
      expect(await among('anna', false, 1)).toBeUndefined()
      expect(await among('anna', false, 2)).toBe('bert')
      expect(await among('anna', false, 3)).toBeUndefined()
    })

    test('stores one face per person if people come to two processes at once', async () => {
      const store = createMemoryStore()
      const [one, other, id] = [visit(store), visit(store), newId()]
      const came = people(0, 12)
      const answers = await Promise.all(
        came.flatMap((person) => [one.searchOrIndex(id, person), other.searchOrIndex(id, person)]),
      )
      for (const person of came) expect(answers[2 * person]).toBe(answers[2 * person + 1])
      expect(await one.count(id)).toEqual({ size: 12, comparableCount: 12 })
    })

    test('forgets a person and a collection', async () => {
      const [visitor, id] = [visit(), newId()]
      await visitor.addSeveral(id, people(0, 30), 'one of them')
      await visitor.add(id, 40, 'another')
      expect(await visitor.forget('one of them')).toBe(30)
      expect(await visitor.find(id, 3)).toBeUndefined()
      expect(await visitor.count(id)).toEqual({ size: 1, comparableCount: 1 })
      await visitor.erase(id)
      const again = await visitor.add(id, 3)
      expect(await visitor.find(id, 3)).toBe(again)
      expect(await visitor.find(id, 40)).toBeUndefined()
    })

    test('ranks by two embeddings if faces have two', async () => {
      const secondModel = 'foamliu-face/1'
      const visitor = visitCollections(createMemoryStore(), { ...index, secondModel })
      const id = newId()
      const second = (person: number) => randomEmbedding(person, 128)
      // Similar only according to the first network. The other face is similar according to both.
      const faces = [
        { externalId: 'lookalike', embedding: near(1, 0.7), second: second(99) },
        { externalId: 'same', embedding: near(1, 0.6, 700_000), second: second(1) },
      ].map((face) => ({ ...face, embeddingModel, second: { model: secondModel, embedding: face.second } }))
      await visitor.access.change(accountId, id, async (_, writer) => ({
        answer: undefined,
        change: writer.addSeveral(faces),
      }))
      const hit = await visitor.access.use(accountId, id, (collection) =>
        collection.closest({ first: randomEmbedding(1), second: second(1) }, 80),
      )
      expect(hit?.face.externalId).toBe('same')
    })

    test('finds faces of a previous model by that model while people return, and converts them', async () => {
      const store = createMemoryStore()
      const id = newId()
      const faceIds = await processOf(store, 'before', index).add(id, people(0, 8))
      const both = processOf(store, 'both', index)
      expect(await both.search(id, seen(3))).toBe(faceIds[3])
      expect(await both.models(id)).toEqual({ 'dlib-face/2': 7, 'dlib-face/2 and fr-feature/2': 1 })
      expect(await both.search(id, { first: seen(3).first, former: formerAt(77, 80) })).toBe(faceIds[3])
      expect(await both.search(id, { first: seen(80).first, former: formerAt(5, 85) })).toBe(faceIds[5])
      const [added] = await both.add(id, [20])
      expect(await both.search(id, seen(20))).toBe(added)
      await settleCollection(both.access, { accountId, collectionId: id, removeUnseen: true })
      const after = processOf(store, 'after', index)
      expect(await after.search(id, { first: seen(3).first })).toBe(faceIds[3])
      expect(await after.search(id, { first: seen(5).first })).toBeUndefined()
    })

    test('stays complete for processes with two sets of models, whichever follows a change first', async () => {
      const store = createMemoryStore()
      const id = newId()
      const before = processOf(store, 'before', index)
      const both = processOf(store, 'both', index)
      const [first] = await before.add(id, [0])
      const formerOnly = (person: number) => before.search(id, { first: formerAt(person, 100) })
      expect(await formerOnly(0)).toBe(first)
      expect(await both.search(id, seen(0))).toBe(first)
      const faceIds = await both.add(id, people(20, 20))
      for (const person of people(20, 20))
        expect(await both.search(id, seen(person))).toBe(faceIds[person - 20])
      await formerOnly(0)
      for (const person of people(20, 20))
        expect(await both.search(id, seen(person))).toBe(faceIds[person - 20])
      const gone = faceIds.slice(0, 3)
      await both.access.change(accountId, id, async (_, writer) => ({
        answer: undefined,
        change: await writer.remove(gone),
      }))
      await formerOnly(0)
      for (const person of people(20, 3)) expect(await both.search(id, seen(person))).toBeUndefined()
      expect(await both.search(id, seen(30))).toBe(faceIds[10])
    })

    test('is included in an exported file', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'selfsame-index-'))
      const path = join(folder, 'faces')
      const [from, to, id] = [visit(), visit(), newId()]
      const faceIds = await from.addSeveral(id, people(0, 250))
      const about = { accountId, collectionId: id, path, passphrase: 'a passphrase of some length' }
      expect(await exportCollection(from.access, about)).toBe(250)
      expect(await importCollection(to.access, about)).toMatchObject({ restoredCount: 250 })
      expect(await to.find(id, 249)).toBe(faceIds[249])
      expect(await to.count(id)).toEqual({ size: 250, comparableCount: 250 })
      await rm(folder, { recursive: true })
    })

    test('answers the calls: index, search, search-or-index, candidates, update, get-all, delete', async () => {
      const collectionId = await newCollection(host)
      const body = (person: string) => ({ collectionId, image: imageOf({ person }) })
      const { faceId } = await host.call(indexFace, { body: { ...body('anna'), externalId: 'a' } })
      expect((await host.call(searchFace, { body: body('anna') })).faceId).toBe(faceId)
      expect((await host.call(searchFace, { body: body('bert') })).faceId).toBeNull()
      const known = await host.call(searchOrIndexFace, { body: body('anna') })
      expect(known).toMatchObject({ faceId, resultSource: 'Search' })
      const made = await host.call(searchOrIndexFace, { body: body('bert') })
      expect(made.resultSource).toBe('Index')
      const asked = { image: imageOf({ person: 'anna' }), collectionIds: [collectionId] }
      const { candidates } = await host.call(searchCandidates, { body: asked })
      expect(candidates).toMatchObject([{ faceId, externalId: 'a', similarity: 100 }])
      await host.call(updateFace, { body: { collectionId, faceId: faceId!, externalId: 'b' } })
      const renamed = await host.call(searchCandidates, { body: asked })
      expect(renamed.candidates).toMatchObject([{ faceId, externalId: 'b' }])
      expect((await host.call(getAllFaces, { query: { collectionId, externalId: 'b' } })).faces).toHaveLength(
        1,
      )
      expect((await host.call(getAllFaces, { query: { collectionId } })).faceCount).toBe(2)
      await host.call(deleteFace, { query: { collectionId, faceId: faceId! } })
      expect((await host.call(searchFace, { body: body('anna') })).faceId).toBeNull()
      await host.call(deleteCollection, { query: { collectionId } })
      await expect(host.call(searchFace, { body: body('bert') })).rejects.toMatchObject({ status: 404 })
    })

    test('recognises people who return to a verification, and refuses duplicates if configured', async () => {
      const asked = (type: 'CalculationOnly' | 'DuplicateVerification') =>
        newVerification(host, { verifierConfigs: { faceRecognition: { type } } })
      const counting = await asked('CalculationOnly')
      const first = await visitVerification(host, counting, { person: 'anna' })
      const second = await visitVerification(host, counting, { person: 'anna' })
      expect(first.result.faceId).not.toBeNull()
      expect(second.result.faceId).toBe(first.result.faceId)
      const refusing = await asked('DuplicateVerification')
      await visitVerification(host, refusing, { person: 'bert' })
      const again = await visitVerification(host, refusing, { person: 'bert' })
      expect(again.result.verificationFailedReasons).toContain('duplicateFace')
    })

    test('stores nothing of a picture that the quality gate refuses', async () => {
      const collectionId = await newCollection(host)
      const poor = { person: 'carl', frameQuality: 0.125, sharpness: 4 }
      const body = { collectionId, image: imageOf(poor), qualityGate: { least: 51 } }
      const refused = await host.call(searchOrIndexFace, { body })
      expect(refused).toMatchObject({ faceId: null, resultSource: 'None' })
      expect((await host.call(getAllFaces, { query: { collectionId } })).faceCount).toBe(0)
    })

    test('serves sessions, including those of kiosks: known again, refused as a duplicate, matched by external id', async () => {
      const [store, id] = [createMemoryStore(), newId()]
      const { access } = visit(store)
      const ask = (type: PersonQuestion['type'], person: number, externalId: string | null = null) =>
        access.use(accountId, id, async (collection, writer) => {
          const portrait = Array.from(randomEmbedding(person))
          const question = { collectionId: id, type, externalId, enroll: true, portrait }
          const { writes, guards, ...answer } = await recognisePerson(collection, writer, question)
          expect(await store.commit(writes, guards)).toBe(true)
          return answer
        })
      const first = await ask('CalculationOnly', 1)
      expect(await ask('CalculationOnly', 1)).toMatchObject({ faceId: first.faceId, reason: null })
      expect(await ask('DuplicateVerification', 1)).toMatchObject({ reason: 'duplicateFace' })
      expect(await ask('DuplicateVerification', 2)).toMatchObject({ reason: null })
      expect(await ask('UniqueMatchVerification', 3, 'carl')).toMatchObject({ reason: null })
      expect(await ask('UniqueMatchVerification', 3, 'carl')).toMatchObject({ reason: null })
      expect(await ask('UniqueMatchVerification', 4, 'carl')).toMatchObject({ reason: 'faceMismatch' })
      expect(await ask('UniqueMatchVerification', 3, 'dora')).toMatchObject({ reason: 'duplicateFace' })
    })
  })
}
