import type { EmbeddingModel } from '#models/rules/embedding.ts'
import { bytesOfFaceId, faceIdOf } from '#server/recognition/search/face-id.ts'
import type { RowHit } from '#server/recognition/search/face-rows.ts'
import type {
  RecordOfFace,
  RowOfFace,
  SearchThreads,
  ThreadedRows,
} from '#server/recognition/search/search-threads.ts'
import { createFacesInMemory } from './faces-in-memory.ts'
import {
  cosineThatReaches,
  type Face,
  hitOf,
  isComparable,
  type Near,
  type SearchableFaces,
  type Sought,
} from './searchable-faces.ts'
import { readForSearch } from './stored-face.ts'

/** More faces are searched in threads. Scanning so few takes less time than a message to a thread and back. */
const mostInMemory = 512
const postedAtOnce = 128

/** Faces that move into threads when there are many. Those of another model stay: they are only counted. */
export function createFacesInThreads(threads: SearchThreads, model: EmbeddingModel): SearchableFaces {
  const few = createFacesInMemory(model)
  let many: ThreadedRows | undefined
  let waiting: RowOfFace[] = []
  let records: RecordOfFace[] = []
  let keyOfRecords: Uint8Array = new Uint8Array()

  /** The threads, with everything ordered that was asked for. */
  function manyNow(): ThreadedRows | undefined {
    if (waiting.length > 0) many?.add(waiting)
    waiting = []
    if (records.length > 0) many?.addRecords(records, model, keyOfRecords)
    records = []
    return many
  }

  function move(): void {
    many = threads.open()
    const faces = [...few.comparable()]
    faces.forEach(enqueue)
    manyNow()
    for (const { faceId } of faces) few.remove(faceId)
  }

  function enqueue({ faceId, externalId, embedding }: Face): void {
    waiting.push({ id: bytesOfFaceId(faceId), externalId, vector: embedding })
    if (waiting.length >= postedAtOnce) manyNow()
    else if (waiting.length === 1) queueMicrotask(manyNow)
  }

  const nearest = (...sought: Sought) =>
    nearestOf(manyNow()?.nearest(...sought), () => few.nearest(...sought))

  return {
    get size() {
      return few.size + (many?.size ?? 0)
    },
    get comparableCount() {
      return few.comparableCount + (many?.size ?? 0)
    },
    get isLost() {
      return many?.loss !== undefined
    },
    add(face) {
      if (many !== undefined && isComparable(face, model)) return enqueue(face)
      few.add(face)
      if (few.comparableCount > mostInMemory) move()
    },
    addRecord(record, key) {
      if (many === undefined) return false
      keyOfRecords = key
      records.push({ id: readForSearch(record).id, record })
      if (records.length >= postedAtOnce) manyNow()
      return true
    },
    refusedRecords: () => many?.takeRefused() ?? [],
    remove(faceId) {
      few.remove(faceId)
      manyNow()?.remove(bytesOfFaceId(faceId))
    },
    async closest(embedding, atLeast, among) {
      return hitOf(await nearest(embedding, cosineThatReaches(atLeast, model), 1, among), model)
    },
    nearest,
    async hasExternalId(externalId) {
      const answers = await Promise.all([few.hasExternalId(externalId), manyNow()?.hasExternalId(externalId)])
      return answers.includes(true)
    },
    settle: async () => manyNow()?.settle(),
    close: () => many?.close(),
  }
}

/** What the threads found, or what is found in memory where there are none. */
async function nearestOf(found: Promise<RowHit[]> | undefined, inMemory: () => Promise<readonly Near[]>) {
  if (found === undefined) return inMemory()
  const hits = await found
  return hits.map(({ id, externalId, cosine }) => ({ face: { faceId: faceIdOf(id), externalId }, cosine }))
}
