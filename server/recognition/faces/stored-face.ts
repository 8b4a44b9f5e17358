import { openBytes, sealBytes } from '#server/security/key-ring.ts'
import { type Codec, unknownSchema } from '#server/store/codec.ts'
import {
  type ContentForm,
  contentBytes,
  type FaceContent,
  type FaceHead,
  formOf,
  headBytes,
  readContent,
  readHead,
  readShortHead,
} from './face-bytes.ts'

/** A face as it stands in the store: its head, and the rest sealed with the collection's key. */
export interface StoredFace extends FaceHead {
  /** What is authenticated with the rest: neither it nor the name of its network can be moved to another face. */
  readonly context: Uint8Array
  readonly sealed: Uint8Array
}

/** The first byte of a face: the form of its content. */
const schemas: readonly number[] = [1, 2, 3] satisfies ContentForm[]

/** Faces as bytes: there may be a million of them, and JSON would take twice the room. */
export const storedFaceCodec: Codec<StoredFace> = {
  encode: ({ context, sealed }) => Buffer.concat([context, sealed]),
  decode(given) {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
    const { head, length } = readHead(bytes.subarray(1), formIn(bytes))
    return { ...head, context: bytes.subarray(0, 1 + length), sealed: bytes.subarray(1 + length) }
  },
}

/** A record of a face as the search takes it: the id alone before it is opened. */
export interface SearchedRecord {
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly embeddingModel: string
  /** @throws when the face was altered, or sealed with another key */
  open(key: Uint8Array): Pick<FaceContent, 'externalId' | 'embedding'>
}

/** Reads a record for the search, which takes a million of them at a time. @throws where it is none of ours */
export function readForSearch(given: Uint8Array): SearchedRecord {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
  const form = formIn(bytes)
  const { id, embeddingModel, length } = readShortHead(bytes.subarray(1), form)
  const end = 1 + length
  return {
    id,
    embeddingModel,
    open: (key) => readContent(openBytes(key, bytes.subarray(0, end), bytes.subarray(end)), form),
  }
}

/** @throws where a later program wrote it, or none */
function formIn(bytes: Uint8Array): ContentForm {
  const form = bytes[0] ?? 0
  if (!schemas.includes(form)) throw unknownSchema(form)
  return form as ContentForm
}

export function sealFace(key: Uint8Array, head: FaceHead, content: FaceContent): StoredFace {
  const form = formOf(content)
  const context = Buffer.concat([Buffer.of(form), headBytes(head, form)])
  return { ...head, context, sealed: sealBytes(key, context, contentBytes(content, form)) }
}

/** @throws when the face was altered, or sealed with another key */
export function unsealFace(key: Uint8Array, { context, sealed }: StoredFace): FaceContent {
  return readContent(openBytes(key, context, sealed), context[0] as ContentForm)
}
