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
    if (!schemas.includes(bytes[0] ?? 0)) throw unknownSchema(bytes[0] ?? 0)
    const { head, length } = readHead(bytes.subarray(1), bytes[0] as ContentForm)
    return { ...head, context: bytes.subarray(0, 1 + length), sealed: bytes.subarray(1 + length) }
  },
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
