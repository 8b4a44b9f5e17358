import type { EnrolledFace } from '#server/features/recognition/store/face.ts'
import {
  type ContentForm,
  contentBytes,
  headBytes,
  readContent,
  readHead,
} from '#server/features/recognition/store/face-bytes.ts'

/** A file's first chunk, which describes the collection. */
export interface ExportedCollection {
  /** The faces' format: 2 if the collection pins a second model, 3 if faces may have a newer model's embeddings. */
  readonly schema: ContentForm
  readonly collectionId: string
  readonly description: string | null
  /** Null if the collection had no faces. */
  readonly embeddingModel: string | null
  /** The second embeddings' model; absent if there are none. */
  readonly secondModel?: string
  readonly exportedAt: string
}

/** A file's last chunk. */
export interface ExportEnd {
  readonly faceCount: number
}

/** Faces per chunk, and per commit. */
export const facesAtOnce = 200

const lengthBytes = 4

/** Each face, preceded by its length. Use only for data that is sealed as a whole, because the faces are unencrypted. */
export function batchBytes(faces: readonly EnrolledFace[], form: ContentForm): Buffer {
  return Buffer.concat(
    faces.flatMap((face) => {
      const bytes = Buffer.concat([
        headBytes({ ...face, externalIdHash: null }, form),
        contentBytes(face, form),
      ])
      const length = Buffer.alloc(lengthBytes)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    }),
  )
}

export function readBatch(batch: Buffer, form: ContentForm): EnrolledFace[] {
  const faces: EnrolledFace[] = []
  for (let start = 0; start < batch.length; ) {
    const end = start + lengthBytes + batch.readUInt32BE(start)
    faces.push(readFace(batch.subarray(start + lengthBytes, end), form))
    start = end
  }
  return faces
}

function readFace(bytes: Buffer, form: ContentForm): EnrolledFace {
  const { head, length } = readHead(bytes, form)
  const { externalIdHash: _, ...named } = head
  return { ...named, ...readContent(bytes.subarray(length), form) }
}
