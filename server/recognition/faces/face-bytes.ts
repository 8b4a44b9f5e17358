import { idBytes } from '#server/recognition/search/arena.ts'
import { faceIdOf } from '#server/recognition/search/face-id.ts'

/** Who a face is to the store, without what it looks like and whose it is. */
export interface FaceHead {
  readonly faceId: string
  readonly created: string
  readonly embeddingModel: string
  /** A keyed hash: finds the faces of an external id without telling it. */
  readonly externalIdHash: string | null
}

/** What must not stand in the clear. */
export interface FaceContent {
  readonly externalId: string | null
  /** Unit vector. */
  readonly embedding: Float32Array
}

const hashBytes = 32
const noExternalId = 0xffff_ffff

/**
 * Length and text of the model, the id, the creation in milliseconds, and a hash after a 1, or a 0.
 * @throws where the id is none of ours
 */
export function headBytes({ faceId, created, embeddingModel, externalIdHash }: FaceHead): Buffer {
  const model = Buffer.from(embeddingModel)
  const id = Buffer.from(faceId.replaceAll('-', ''), 'hex')
  if (faceIdOf(id) !== faceId || model.length > 255)
    throw new Error('A face has an id or a model of no known form')
  const time = Buffer.alloc(8)
  time.writeDoubleBE(Date.parse(created))
  const hash =
    externalIdHash === null ? [Buffer.of(0)] : [Buffer.of(1), Buffer.from(externalIdHash, 'base64url')]
  return Buffer.concat([Buffer.of(model.length), model, id, time, ...hash])
}

/** Reads a head; `length` is how many bytes it took. @throws where the bytes end before it */
export function readHead(bytes: Buffer): { readonly head: FaceHead; readonly length: number } {
  const modelEnd = 1 + bytes.readUInt8(0)
  const timeStart = modelEnd + idBytes
  const hashStart = timeStart + 9
  const length = hashStart + (bytes.readUInt8(hashStart - 1) === 0 ? 0 : hashBytes)
  if (length > bytes.length) throw new Error('A face is cut off')
  const head = {
    faceId: faceIdOf(bytes.subarray(modelEnd, timeStart)),
    created: new Date(bytes.readDoubleBE(timeStart)).toISOString(),
    embeddingModel: bytes.toString('utf8', 1, modelEnd),
    externalIdHash: length === hashStart ? null : bytes.toString('base64url', hashStart, length),
  }
  return { head, length }
}

/** Length and text of the external id, and the numbers of the embedding, 4 bytes each. */
export function contentBytes({ externalId, embedding }: FaceContent): Buffer {
  const id = Buffer.from(externalId ?? '')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(externalId === null ? noExternalId : id.length)
  return Buffer.concat([
    length,
    id,
    new Uint8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength),
  ])
}

export function readContent(bytes: Buffer): FaceContent {
  const length = bytes.readUInt32BE(0)
  const start = length === noExternalId ? 4 : 4 + length
  const externalId = length === noExternalId ? null : bytes.toString('utf8', 4, start)
  return { externalId, embedding: new Float32Array(Uint8Array.from(bytes.subarray(start)).buffer) }
}
