import { faceIdOf, idBytes } from './face-id.ts'

/** The part of a face that the store can read. It excludes the embedding and the external ID. */
export interface FaceHead {
  readonly faceId: string
  readonly created: string
  readonly embeddingModel: string
  /** A keyed hash that finds an external ID's faces without revealing it. */
  readonly externalIdHash: string | null
  /** The successor model, if the face also has embeddings by that model. */
  readonly newerModel?: string | undefined
}

/** The part of a face that must be encrypted. */
export interface FaceContent {
  readonly externalId: string | null
  /** A unit vector. */
  readonly embedding: Float32Array
  readonly second?: SecondTemplate | undefined
  /** Embeddings by the newer model that the head names. */
  readonly newer?: NewerTemplates | undefined
}

/** A face's embeddings by a newer model, including a second one if available. Unit vectors. */
export interface NewerTemplates {
  readonly embedding: Float32Array
  readonly second?: SecondTemplate | undefined
}

/** A second network's embedding and the network's name. */
export interface SecondTemplate {
  readonly model: string
  /** A unit vector. */
  readonly embedding: Float32Array
}

/**
 * 1: one embedding. 2: with the name and values of a second one, which may be empty. 3: like 2, but the head names a
 * newer model, whose embeddings precede the last.
 */
export type ContentForm = 1 | 2 | 3

/** The lowest format version that can represent the face. */
export function formOf({ second, newer }: Pick<FaceContent, 'second' | 'newer'>): ContentForm {
  if (newer !== undefined) return 3
  return second === undefined ? 1 : 2
}

const hashBytes = 32
const noExternalId = 0xffff_ffff

/**
 * The model's length and text, the ID, the creation time in milliseconds, then 1 and a hash, or 0. Form 3 adds the newer
 * model's length and text.
 * @throws if the id is not valid
 */
export function headBytes(head: FaceHead, form: ContentForm): Buffer {
  const { faceId, created, embeddingModel, externalIdHash, newerModel = '' } = head
  const model = Buffer.from(embeddingModel)
  const id = Buffer.from(faceId.replaceAll('-', ''), 'hex')
  const newer = Buffer.from(newerModel)
  if (faceIdOf(id) !== faceId || Math.max(model.length, newer.length) > 255)
    throw new Error('The id or the model of a face is not valid')
  const time = Buffer.alloc(8)
  time.writeDoubleBE(Date.parse(created))
  const hash =
    externalIdHash === null ? [Buffer.of(0)] : [Buffer.of(1), Buffer.from(externalIdHash, 'base64url')]
  const after = form === 3 ? [Buffer.of(newer.length), newer] : []
  return Buffer.concat([Buffer.of(model.length), model, id, time, ...hash, ...after])
}

/** The boundaries between a head's parts. @throws if the bytes are truncated */
export function placesIn(bytes: Uint8Array, form: ContentForm) {
  const modelEnd = 1 + byteAt(bytes, 0)
  const timeStart = modelEnd + idBytes
  const hashStart = timeStart + 9
  const hashEnd = hashStart + (byteAt(bytes, hashStart - 1) === 0 ? 0 : hashBytes)
  const length = form === 3 ? hashEnd + 1 + byteAt(bytes, hashEnd) : hashEnd
  if (length > bytes.length) throw cutOff()
  return { modelEnd, timeStart, hashStart, hashEnd, length }
}

function byteAt(bytes: Uint8Array, place: number): number {
  const byte = bytes[place]
  if (byte === undefined) throw cutOff()
  return byte
}

function cutOff(): Error {
  return new Error('A face is truncated')
}

/** Reads a head; `length` is its size in bytes. @throws if the bytes are truncated */
export function readHead(
  bytes: Buffer,
  form: ContentForm,
): { readonly head: FaceHead; readonly length: number } {
  const { modelEnd, timeStart, hashStart, hashEnd, length } = placesIn(bytes, form)
  const head = {
    faceId: faceIdOf(bytes.subarray(modelEnd, timeStart)),
    created: new Date(bytes.readDoubleBE(timeStart)).toISOString(),
    embeddingModel: bytes.toString('utf8', 1, modelEnd),
    externalIdHash: hashEnd === hashStart ? null : bytes.toString('base64url', hashStart, hashEnd),
    ...(length > hashEnd + 1 && { newerModel: bytes.toString('utf8', hashEnd + 1, length) }),
  }
  return { head, length }
}

/**
 * The external ID's length and text, and the embedding's values at 4 bytes each. From form 2 on, the second embedding comes
 * first, and in form 3 the newer ones follow that.
 */
export function contentBytes(content: FaceContent, form: ContentForm): Buffer {
  const { externalId, embedding, second, newer } = content
  const id = Buffer.from(externalId ?? '')
  const idLength = externalId === null ? noExternalId : id.length
  const extra = form === 1 ? [] : secondBytes(second)
  const after = form === 3 ? newerBytes(newer) : []
  return Buffer.concat([lengthBytes(idLength), id, ...extra, ...after, numberBytes(embedding)])
}

/** The model's length and text, and the embedding's length and values. */
function secondBytes(second: SecondTemplate | undefined): Uint8Array[] {
  const model = Buffer.from(second?.model ?? '')
  const numbers = numberBytes(second?.embedding ?? new Float32Array())
  return [lengthBytes(model.length), model, lengthBytes(numbers.length), numbers]
}

/** The embedding's length and values, and a second embedding's with its model. */
function newerBytes(newer: NewerTemplates | undefined): Uint8Array[] {
  const numbers = numberBytes(newer?.embedding ?? new Float32Array())
  return [lengthBytes(numbers.length), numbers, ...secondBytes(newer?.second)]
}

export function readContent(bytes: Buffer, form: ContentForm): FaceContent {
  let at = 0
  const take = (length: number) => {
    const end = at + length
    if (end > bytes.length) throw cutOff()
    const taken = bytes.subarray(at, end)
    at = end
    return taken
  }
  const takeLength = () => take(4).readUInt32BE(0)
  const idLength = takeLength()
  const externalId = idLength === noExternalId ? null : take(idLength).toString()
  const takeSecond = () => {
    const model = take(takeLength()).toString()
    const embedding = numbersOf(take(takeLength()))
    return model === '' ? undefined : { model, embedding }
  }
  const takeNewer = () => {
    const embedding = numbersOf(take(takeLength()))
    const second = takeSecond()
    return embedding.length === 0 ? undefined : { embedding, ...(second && { second }) }
  }
  const second = form === 1 ? undefined : takeSecond()
  const newer = form === 3 ? takeNewer() : undefined
  const embedding = numbersOf(bytes.subarray(at))
  return { externalId, embedding, ...(second && { second }), ...(newer && { newer }) }
}

/** Reads only what a search needs: the external ID, and the embedding's bytes without copying them. */
export function readVector(bytes: Uint8Array, form: ContentForm) {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const idLength = numbers.getUint32(0)
  let at = 4
  const externalId = idLength === noExternalId ? null : textOf(bytes.subarray(at, at + idLength))
  if (externalId !== null) at += idLength
  // Skips each form's variable-length parts: a second embedding with its model, a newer embedding, and its second embedding.
  for (let left = [0, 2, 5][form - 1]!; left > 0; left--) at += 4 + numbers.getUint32(at)
  if (at > bytes.length) throw cutOff()
  return { externalId, vector: bytes.subarray(at) }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
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
  return new Float32Array(new Uint8Array(bytes).buffer)
}
