import { type EmbeddingModel, embedders, embeddingModel } from '#models/embedder.ts'
import { cosineOf, scoreOf } from '#models/similarity.ts'

export interface Face {
  readonly faceId: string
  /** Whose face it is, in the caller's words; null where nobody said. */
  readonly externalId: string | null
  /** The network that made the embedding: those of two networks are never compared. */
  readonly embeddingModel: string
  /** Unit vector. */
  readonly embedding: Float32Array
}

export type IndexedFace = Pick<Face, 'faceId' | 'externalId'>

export interface Hit {
  readonly face: IndexedFace
  /** On the calibrated scale, -1 to 100. */
  readonly score: number
}

/** The port behind which the faces of one collection are searched. */
export interface SearchableFaces {
  /** Every face. */
  readonly size: number
  /** Those that a search compares with: of the network in use. */
  readonly comparableCount: number
  add(face: Face): void
  /** Removes a face, where it is there. */
  remove(faceId: string): void
  /** The face that is most alike, where one of those that count reaches the score. */
  closest(embedding: Float32Array, atLeast: number, counts?: (face: IndexedFace) => boolean): Hit | undefined
  hasExternalId(externalId: string): boolean
}

/**
 * [Note: The same picture reaches 100] Sums of rounded numbers miss 1 by a little: a score counts as reached when it
 * is this close.
 */
const scoreTolerance = 1e-3
const firstCapacity = 16

/** Embeddings of one model side by side in one array; a search reads them all. */
export function createSearchableFaces(used: EmbeddingModel = embeddingModel): SearchableFaces {
  const { length } = embedders[used]
  let vectors = new Float32Array(firstCapacity * length)
  const rows: IndexedFace[] = []
  const rowOf = new Map<string, number>()
  const incomparable = new Map<string, IndexedFace>()

  function append(face: IndexedFace, embedding: Float32Array): void {
    if ((rows.length + 1) * length > vectors.length) vectors = doubled(vectors)
    vectors.set(embedding, rows.length * length)
    rowOf.set(face.faceId, rows.length)
    rows.push(face)
  }

  /** The last face takes the place of the one that goes. */
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
    add({ faceId, externalId, embedding, embeddingModel: model }) {
      const face = { faceId, externalId }
      const isComparable = model === used && embedding.length === length
      if (isComparable) append(face, embedding)
      else incomparable.set(faceId, face)
    },
    remove(faceId) {
      incomparable.delete(faceId)
      const row = rowOf.get(faceId)
      if (row !== undefined) take(row)
    },
    closest(embedding, atLeast, counts = () => true) {
      let bestCosine = cosineOf(atLeast - scoreTolerance, used)
      let best: IndexedFace | undefined
      for (let row = 0; row < rows.length; row++) {
        const reached = cosineAt(vectors, row * length, embedding, length)
        if (reached < bestCosine || !counts(rows[row]!)) continue
        best = rows[row]
        bestCosine = reached
      }
      return best && { face: best, score: scoreOf(bestCosine, used) }
    },
    hasExternalId: (externalId) =>
      [...rows, ...incomparable.values()].some((face) => face.externalId === externalId),
  }
}

/** Four sums at once: one alone would wait for itself at every step. */
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

function doubled(vectors: Float32Array): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(vectors.length * 2)
  larger.set(vectors)
  return larger
}
