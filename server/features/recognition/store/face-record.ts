import type { KeyObject } from 'node:crypto'
import { openBytes, sealBytes } from '#server/platform/crypto/key-ring.ts'
import { type Codec, unknownSchema } from '#server/platform/store/codec.ts'
import {
  type ContentForm,
  contentBytes,
  type FaceContent,
  type FaceHead,
  formOf,
  headBytes,
  placesIn,
  readContent,
  readHead,
  readVector,
} from './face-bytes.ts'

/** A stored face: its head, and the rest sealed with the collection's key. */
export interface FaceRecord extends FaceHead {
  /** Authenticated with the sealed part, so that neither that part nor its network's name can be moved to another face. */
  readonly context: Uint8Array
  readonly sealed: Uint8Array
}

/** A face's first byte: its format version. */
const schemas: readonly number[] = [1, 2, 3] satisfies ContentForm[]

/** Faces as bytes, because there may be a million of them and JSON would take twice the space. */
export const faceRecordCodec: Codec<FaceRecord> = {
  encode: ({ context, sealed }) => Buffer.concat([context, sealed]),
  decode(given) {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
    const { head, length } = readHead(bytes.subarray(1), formIn(bytes))
    return { ...head, context: bytes.subarray(0, 1 + length), sealed: bytes.subarray(1 + length) }
  },
}

/** A face in the form that searches need. */
export interface FaceVector {
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly externalId: string | null
  /** The embedding's bytes. */
  readonly vector: Uint8Array
}

/**
 * Opens a record for a search over up to a million faces; undefined if it belongs to another model. The ID is a view of the
 * record's bytes. [Note: Records are opened one by one]
 * @throws if it is not a valid record, was altered, or is sealed with another key
 */
export function openForSearch(
  record: Uint8Array,
  model: Uint8Array,
  key: Uint8Array | KeyObject,
): FaceVector | undefined {
  const form = formIn(record)
  const { modelEnd, timeStart, length } = placesIn(record.subarray(1), form)
  if (modelEnd !== 1 + model.length) return undefined
  for (let i = 0; i < model.length; i++) if (record[2 + i] !== model[i]) return undefined
  const end = 1 + length
  const content = openBytes(key, record.subarray(0, end), record.subarray(end))
  return { id: record.subarray(1 + modelEnd, 1 + timeStart), ...readVector(content, form) }
}

/** The offset of the ID in the record that begins at the given offset. */
export function idPlaceIn(bytes: Uint8Array, start: number): number {
  return start + 2 + (bytes[start + 1] ?? 0)
}

/** @throws if a later version of the program wrote it, or it is not a face */
function formIn(bytes: Uint8Array): ContentForm {
  const form = bytes[0] ?? 0
  if (!schemas.includes(form)) throw unknownSchema(form)
  return form as ContentForm
}

export function sealFace(key: Uint8Array, head: FaceHead, content: FaceContent): FaceRecord {
  const form = formOf(content)
  const context = Buffer.concat([Buffer.of(form), headBytes(head, form)])
  return { ...head, context, sealed: sealBytes(key, context, contentBytes(content, form)) }
}

/** @throws if the face was altered, or sealed with another key */
export function unsealFace(key: Uint8Array, { context, sealed }: FaceRecord): FaceContent {
  const content = openBytes(key, context, sealed)
  return readContent(content, context[0] as ContentForm)
}
