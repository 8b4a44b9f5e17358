import { type EmbeddingModel, embeddingLengths, embeddingModel } from '#models/rules/embedding.ts'
import { likenessTo } from '#models/rules/quality/poor-look.ts'
import { createBestRows } from '#server/features/recognition/index/best-rows.ts'
import type {
  GallerySearch,
  IndexedFace,
  LocalGallery,
  NearFace,
} from '#server/features/recognition/index/gallery.ts'
import { passesFilter } from '#server/features/recognition/index/person-filter.ts'
import { type Face, isComparable } from '#server/features/recognition/store/face.ts'
import { canonicalIdentity, isSameIdentity } from '#shared/identity/identity-text.ts'

const firstCapacity = 16

/** Faces that are searched in the calling thread, because they are so few that messaging another thread would take longer. */
export interface MemoryGallery extends Omit<LocalGallery, 'former' | 'hasRoomFor' | 'records'> {
  /** The faces that a search compares against. */
  comparable(): Iterable<Face>
}

/** One model's embeddings in a contiguous array, which a search reads from start to end. */
export function createMemoryGallery(used: EmbeddingModel = embeddingModel): MemoryGallery {
  const length = embeddingLengths[used]
  let vectors = new Float32Array(firstCapacity * length)
  const rows: IndexedFace[] = []
  const rowOf = new Map<string, number>()
  const incomparable = new Map<string, IndexedFace>()

  function append(face: IndexedFace, embedding: Float32Array): void {
    if (rowOf.has(face.faceId)) return
    if ((rows.length + 1) * length > vectors.length) vectors = doubleCapacity(vectors)
    vectors.set(embedding, rows.length * length)
    rowOf.set(face.faceId, rows.length)
    rows.push(face)
  }

  /** The last face takes the removed one's place. */
  function take(row: number): void {
    const last = rows.pop()!
    rowOf.delete(rows[row]?.faceId ?? last.faceId)
    if (row === rows.length) return
    vectors.copyWithin(row * length, rows.length * length, (rows.length + 1) * length)
    rows[row] = last
    rowOf.set(last.faceId, row)
  }

  return {
    get size() {
      return rows.length + incomparable.size
    },
    get comparableCount() {
      return rows.length
    },
    isLost: false,
    add(face) {
      const { faceId, externalId, embedding } = face
      if (isComparable(face, used)) append({ faceId, externalId }, embedding)
      else incomparable.set(faceId, { faceId, externalId })
    },
    remove(faceId) {
      incomparable.delete(faceId)
      const row = rowOf.get(faceId)
      if (row !== undefined) take(row)
    },
    nearest: async (...search) => nearestRows({ vectors, rows, length, model: used }, ...search),
    hasExternalId: async (externalId) => [...rows, ...incomparable.values()].some(isCalled(externalId)),
    settle: async () => undefined,
    *comparable() {
      for (const [row, face] of rows.entries()) {
        const embedding = vectors.subarray(row * length, (row + 1) * length)
        yield { ...face, embeddingModel: used, embedding }
      }
    },
    close: () => undefined,
  }
}

function isCalled(externalId: string) {
  return (face: Pick<IndexedFace, 'externalId'>) =>
    face.externalId !== null && isSameIdentity(face.externalId, externalId)
}

function personOf({ externalId }: IndexedFace): string | null {
  return externalId === null ? null : canonicalIdentity(externalId)
}

interface VectorRows {
  readonly vectors: Float32Array
  readonly rows: readonly IndexedFace[]
  readonly length: number
  readonly model: EmbeddingModel
}

function nearestRows(
  { vectors, rows, length, model }: VectorRows,
  ...search: GallerySearch
): readonly NearFace[] {
  const [embedding, atLeast, most, filter, perPerson = false] = search
  const likenessOf = likenessTo(embedding, model)
  const best = createBestRows(most, atLeast, {
    order: (one, other) => (rows[one]!.faceId < rows[other]!.faceId ? -1 : 1),
    personOf: perPerson ? (row) => personOf(rows[row]!) : undefined,
  })
  for (let row = 0; row < rows.length; row++) {
    const cosine = cosineAt(vectors, row * length, embedding, length)
    if (cosine < best.least || (filter !== undefined && !passesFilter(rows[row]!.externalId, filter)))
      continue
    const likeness = likenessOf(cosine, vectors.subarray(row * length, (row + 1) * length))
    if (likeness >= best.least) best.add({ row, likeness })
  }
  return best.ranked.map(({ row, likeness }) => ({ face: rows[row]!, likeness }))
}

/** Uses four independent sums, because each addition to a single sum would have to wait for the previous one. */
function cosineAt(vectors: Float32Array, start: number, embedding: Float32Array, length: number): number {
  let [a, b, c, d] = [0, 0, 0, 0]
  for (let i = 0; i < length; i += 4) {
    a += vectors[start + i]! * embedding[i]!
    b += vectors[start + i + 1]! * embedding[i + 1]!
    c += vectors[start + i + 2]! * embedding[i + 2]!
    d += vectors[start + i + 3]! * embedding[i + 3]!
  }
  return a + b + c + d
}

function doubleCapacity(vectors: Float32Array): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(vectors.length * 2)
  larger.set(vectors)
  return larger
}
