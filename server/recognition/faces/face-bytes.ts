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
  readonly second?: SecondTemplate | undefined
}

/** The embedding of a second network, and its name. */
export interface SecondTemplate {
  readonly model: string
  /** Unit vector. */
  readonly embedding: Float32Array
}

/** 1: one embedding. 2: room for the name and the numbers of a second one, which may be empty. */
export type ContentForm = 1 | 2

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

/** Length and text of the external id, and the numbers of the embedding, 4 bytes each; in form 2 the second one before them. */
export function contentBytes({ externalId, embedding, second }: FaceContent, form: ContentForm): Buffer {
  const id = Buffer.from(externalId ?? '')
  const idLength = externalId === null ? noExternalId : id.length
  const extra = form === 1 ? [] : secondBytes(second)
  return Buffer.concat([lengthBytes(idLength), id, ...extra, numberBytes(embedding)])
}

/** Length and text of the model, length and numbers of the embedding. */
function secondBytes(second: SecondTemplate | undefined): Uint8Array[] {
  const model = Buffer.from(second?.model ?? '')
  const numbers = numberBytes(second?.embedding ?? new Float32Array())
  return [lengthBytes(model.length), model, lengthBytes(numbers.length), numbers]
}

export function readContent(bytes: Buffer, form: ContentForm): FaceContent {
  let at = 0
  const take = (length: number) => {
    const end = at + length
    if (end > bytes.length) throw new Error('A face is cut off')
    const taken = bytes.subarray(at, end)
    at = end
    return taken
  }
  const takeLength = () => take(4).readUInt32BE(0)
  const idLength = takeLength()
  const externalId = idLength === noExternalId ? null : take(idLength).toString()
  const model = form === 1 ? '' : take(takeLength()).toString()
  const second = form === 1 || model === '' ? undefined : { model, embedding: numbersOf(take(takeLength())) }
  if (form === 2 && second === undefined) take(takeLength())
  const embedding = numbersOf(bytes.subarray(at))
  return { externalId, embedding, ...(second && { second }) }
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

function numberBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function numbersOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}
