import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { embeddingLengths, embeddingModel } from '#models/rules/embedding.ts'
import { scoreOf } from '#models/rules/similarity.ts'
import { closestByModel, type Gallery } from '#server/features/recognition/index/gallery.ts'
import { createMemoryGallery } from '#server/features/recognition/index/memory/memory-gallery.ts'
import type { PersonFilter } from '#server/features/recognition/index/person-filter.ts'
import { createSearchThreads } from '#server/features/recognition/index/threads/search-threads.ts'
import {
  type RunningThread,
  startSearchThread,
} from '#server/features/recognition/index/threads/start-search-thread.ts'
import { createThreadedGallery } from '#server/features/recognition/index/threads/threaded-gallery.ts'
import type { Answer } from '#server/features/recognition/index/threads/wire.ts'
import type { Face } from '#server/features/recognition/store/face.ts'
import { faceRecordCodec, sealFace } from '#server/features/recognition/store/face-record.ts'
import { ownFilesOf } from '#server/platform/running/own-files.ts'
import { some } from '../../../../../../e2e/support/length.ts'
import { createPopulation, greatestDot, near } from '../../../../../support/drawn/unit-vectors.ts'
import { searchWorker } from '../../../../../support/programs/server-program.ts'

const length = embeddingLengths[embeddingModel]
const failures: Error[] = []
const running: RunningThread[] = []
const threads = createSearchThreads({
  count: 2,
  start() {
    const thread = startSearchThread(searchWorker, length)
    running.push(thread)
    return thread
  },
  onFailure: (error) => void failures.push(error),
})
afterAll(() => threads.close())

const population = createPopulation(11, length)
const newFace = (embedding = population.draw(), externalId: string | null = null): Face => ({
  faceId: randomUUID(),
  externalId,
  embeddingModel,
  embedding,
})

const closest = (gallery: Gallery, query: Float32Array, atLeast: number, filter?: PersonFilter) =>
  closestByModel(gallery, embeddingModel, query, atLeast, filter)

function endsOf(records: readonly Uint8Array[]): Uint32Array {
  let end = 0
  return Uint32Array.from(records, ({ length }) => (end += length))
}

function fill(count: number) {
  const faces = createThreadedGallery(threads, embeddingModel)
  const known = new Map<string, Float32Array>()
  for (let i = 0; i < count; i++) {
    const face = newFace()
    known.set(face.faceId, face.embedding)
    faces.add(face)
  }
  return { faces, known }
}

describe('faces in threads', () => {
  test.each(some([513, 2500, 511, 512], 2))(
    'of %i the closest is found, as by a scan of all',
    async (count) => {
      const { faces, known } = fill(count)
      for (let i = 0; i < 30; i++) {
        const query =
          i % 2 ? population.draw() : near([...known.values()][i * 16]!, (i + 3) / 30, population.random)
        const exact = greatestDot(known, query)
        const hit = await closest(faces, query, 0)
        expect(hit!.face.faceId).toBe(exact.id)
        expect(hit!.score).toBeCloseTo(scoreOf(exact.cosine), 2)
        expect(await closest(faces, query, Math.min(100, hit!.score + 0.1))).toBeUndefined()
      }
      faces.close()
    },
  )

  test.each([400, 2500])(
    'of %i the nearest are found as in memory, by several threads too',
    async (count) => {
      const { faces, known } = fill(count)
      const same = createMemoryGallery()
      for (const [faceId, embedding] of known) same.add({ ...newFace(embedding), faceId })
      const query = near([...known.values()][7]!, 0.5, population.random)
      const expected = await same.nearest(query, 0.05, 20)
      expect(expected).toHaveLength(20)
      expect(await faces.nearest(query, 0.05, 20)).toEqual(
        expected.map(({ face, likeness }) => ({ face, likeness: expect.closeTo(likeness, 5) })),
      )
      faces.close()
    },
  )

  test('include additions and removals once they are settled', async () => {
    const { faces, known } = fill(600)
    const [first, second] = [...known.keys()]
    faces.add({ ...newFace(), faceId: second! })
    faces.add({ ...newFace(), embeddingModel: 'another-network', externalId: 'of another' })
    faces.add({ ...newFace(), embedding: new Float32Array(3) })
    faces.remove(first!)
    faces.remove(randomUUID())
    await faces.settle()
    expect([faces.size, faces.comparableCount]).toEqual([601, 599])
    expect((await closest(faces, known.get(first!)!, 99))?.face.faceId).toBeUndefined()
    expect((await closest(faces, known.get(second!)!, 99))?.face.faceId).toBe(second)
    expect(await faces.hasExternalId('of another')).toBe(true)
    faces.close()
  })

  test('a query sees everything that was ordered before', async () => {
    const { faces } = fill(600)
    for (let i = 0; i < 50; i++) {
      const face = newFace(undefined, `person ${i}`)
      faces.add(face)
      const found = closest(faces, face.embedding, 99)
      const has = faces.hasExternalId(`person ${i}`)
      faces.remove(face.faceId)
      expect((await found)?.face).toEqual({ faceId: face.faceId, externalId: `person ${i}` })
      expect(await has).toBe(true)
      expect(await closest(faces, face.embedding, 99)).toBeUndefined()
      expect(await faces.hasExternalId(`person ${i}`)).toBe(false)
    }
    faces.close()
  })

  test('added records are available to later orders, in the order of all', async () => {
    const { faces } = fill(600)
    const key = Buffer.alloc(32, 7)
    const come = Array.from({ length: 300 }, (_, i) => newFace(undefined, `person ${i}`))
    const records = come.map((face) => {
      const head = { ...face, created: '2026-01-02T03:04:05.000Z', externalIdHash: null }
      return faceRecordCodec.encode(sealFace(key, head, face))
    })
    const one = newFace()
    faces.add(one)
    expect(faces.records!.add({ bytes: Buffer.concat(records), ends: endsOf(records) }, key)).toBe(true)
    const found = closest(faces, come[1]!.embedding, 99)
    faces.remove(come[0]!.faceId)
    faces.add({ ...come[0]!, faceId: one.faceId, externalId: 'comes too late' })
    expect((await found)?.face).toEqual({ faceId: come[1]!.faceId, externalId: 'person 1' })
    expect(await closest(faces, come[0]!.embedding, 99)).toBeUndefined()
    expect((await closest(faces, come[299]!.embedding, 99))?.face.externalId).toBe('person 299')
    await faces.settle()
    expect(faces.size).toBe(900)
    expect(faces.records!.takeRefused()).toEqual([])
    faces.close()
  })

  test('unreadable records, and those of another model, are reported once and leave nothing behind', async () => {
    const { faces } = fill(600)
    const key = Buffer.alloc(32, 7)
    const record = (face: Face, sealingKey = key) =>
      faceRecordCodec.encode(
        sealFace(sealingKey, { ...face, created: '2026-01-02T03:04:05.000Z', externalIdHash: null }, face),
      )
    const records = [
      record(newFace()),
      record({ ...newFace(), embeddingModel: 'another-network' }),
      record(newFace(), Buffer.alloc(32, 8)),
      record({ ...newFace(), embedding: new Float32Array(3) }),
      Buffer.of(9),
    ]
    faces.records!.add({ bytes: Buffer.concat(records), ends: endsOf(records) }, key)
    await faces.settle()
    const byLength = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b)
    expect(faces.records!.takeRefused().map(Buffer.from).sort(byLength)).toEqual(
      records.slice(1).map(Buffer.from).sort(byLength),
    )
    expect(faces.records!.takeRefused()).toEqual([])
    expect(faces.size).toBe(601)
    faces.close()
  })

  test('restrict a search to an external id like those in memory', async () => {
    const { faces, known } = fill(700)
    const same = createMemoryGallery()
    for (const [faceId, embedding] of known) same.add({ ...newFace(embedding), faceId })
    const query = population.draw()
    for (const [share, externalId] of [
      [0.3, 'a'],
      [0.2, 'b'],
      [0.1, null],
    ] as const) {
      const face = newFace(near(query, share, population.random), externalId)
      faces.add(face)
      same.add(face)
    }
    for (const among of [
      undefined,
      ...['a', 'b', 'c'].flatMap((externalId) => [
        { externalId, is: true },
        { externalId, is: false },
      ]),
    ]) {
      const expected = await closest(same, query, 80, among)
      expect((await closest(faces, query, 80, among))?.face).toEqual(expected?.face)
    }
    faces.close()
  })

  test('a thread that ends takes its faces along: they are lost, not missing, and new ones find another thread', async () => {
    const { faces, known } = fill(600)
    const [query] = [...known.values()] as [Float32Array]
    await faces.settle()
    const before = failures.length
    const stopped = running.at(-1)!.stop()
    await expect(closest(faces, query, 80)).rejects.toMatchObject({ code: 'overloaded' })
    await stopped
    expect(faces.isLost).toBe(true)
    await expect(closest(faces, query, 80)).rejects.toMatchObject({ code: 'overloaded' })
    expect(failures.length).toBe(before + 1)
    const again = fill(600)
    const [id, vector] = [...again.known][300]!
    expect((await closest(again.faces, vector, 99))?.face.faceId).toBe(id)
    again.faces.close()
  })
})

test('the worker does the same from its sources', async () => {
  const { searchWorker: file } = ownFilesOf(resolve('server/app/main.ts'))
  const fromSources = createSearchThreads({
    count: 1,
    start: () => startSearchThread(file, length),
    onFailure: (error) => void failures.push(error),
  })
  const rows = fromSources.open()
  const [anna, bert] = [population.draw(), population.draw()]
  rows.add([anna, bert].map((vector, i) => ({ id: new Uint8Array(16).fill(i), externalId: `${i}`, vector })))
  expect(await rows.nearest(anna, 0.9, 1)).toMatchObject([{ externalId: '0' }])
  expect(await rows.nearest(bert, 0.9, 1)).toMatchObject([{ externalId: '1' }])
  await fromSources.close()
})

test('a collection that does not fit is reported as lost; the thread continues with the others', async () => {
  const told: string[] = []
  const answers: ((answer: Answer) => void)[] = []
  const start = (): RunningThread => ({
    post: (order) => {
      if (order.kind === 'add')
        answers[0]!({ collection: order.collection, failure: 'Maximum memory size exceeded' })
    },
    onAnswer: (listener) => void answers.push(listener),
    failed: new Promise(() => undefined),
    stop: async () => undefined,
  })
  const full = createSearchThreads({ count: 1, start, onFailure: ({ message }) => void told.push(message) })
  const rows = full.open()
  const asked = rows.nearest(population.draw(), 0.5, 1)
  rows.add([{ id: new Uint8Array(16), externalId: null, vector: population.draw() }])
  await expect(asked).rejects.toMatchObject({ code: 'overloaded' })
  expect(told).toEqual(['Maximum memory size exceeded'])
  expect(rows.loss?.message).toBe(told[0])
  expect(full.open().loss).toBeUndefined()
})
