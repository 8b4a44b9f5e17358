import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { GallerySearch, LocalGallery, NearFace } from '#server/features/recognition/index/gallery.ts'
import { createMemoryGallery } from '#server/features/recognition/index/memory/memory-gallery.ts'
import { type Face, isComparable } from '#server/features/recognition/store/face.ts'
import { bytesOfFaceId, faceIdOf } from '#server/features/recognition/store/face-id.ts'
import type { RowMatch } from './face-rows.ts'
import type { OutgoingFace } from './face-shares.ts'
import type { SearchThreads, ThreadedRows } from './search-threads.ts'

/** Above this number, faces are searched in threads. Scanning fewer faces is faster than a round trip to a thread. */
const mostInMemory = 512
const postedAtOnce = 128

/** Faces that move into threads once there are many. Another model's faces stay here and are only counted. */
export function createThreadedGallery(threads: SearchThreads, model: EmbeddingModel): LocalGallery {
  const few = createMemoryGallery(model)
  let many: ThreadedRows | undefined
  const waiting = createWaiting(() => many)
  const manyNow = waiting.order

  function move(): void {
    many = threads.open()
    const faces = [...few.comparable()]
    faces.forEach(waiting.face)
    manyNow()
    for (const { faceId } of faces) few.remove(faceId)
  }

  const nearest = (...search: GallerySearch) =>
    nearFaces(manyNow()?.nearest(...search), () => few.nearest(...search))

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
      if (many !== undefined && isComparable(face, model)) return waiting.face(face)
      few.add(face)
      if (few.comparableCount > mostInMemory) move()
    },
    records: {
      add(records, key) {
        manyNow()?.addRecords(records, model, key)
        return many !== undefined
      },
      takeRefused: () => many?.takeRefused() ?? [],
    },
    hasRoomFor: (count) => many?.hasRoomFor(count) ?? true,
    remove(faceId) {
      few.remove(faceId)
      manyNow()?.remove(bytesOfFaceId(faceId))
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

/** Faces on their way to the threads, in batches. */
function createWaiting(rowsNow: () => ThreadedRows | undefined) {
  let faces: OutgoingFace[] = []

  /** The rows in the threads, once all pending faces have been sent. */
  function order(): ThreadedRows | undefined {
    const rows = rowsNow()
    if (faces.length > 0) rows?.add(faces)
    faces = []
    return rows
  }

  return {
    order,
    face({ faceId, externalId, embedding }: Face): void {
      const count = faces.push({ id: bytesOfFaceId(faceId), externalId, vector: embedding })
      if (count >= postedAtOnce) order()
      else if (count === 1) queueMicrotask(order)
    },
  }
}

/** The matches found by the threads, or in memory if there are no threads. */
async function nearFaces(
  inThreads: Promise<RowMatch[]> | undefined,
  inMemory: () => Promise<readonly NearFace[]>,
) {
  if (inThreads === undefined) return inMemory()
  const matches = await inThreads
  return matches.map(({ id, externalId, likeness }) => ({
    face: { faceId: faceIdOf(id), externalId },
    likeness,
  }))
}
