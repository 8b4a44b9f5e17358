import { openBytes, sealBytes } from '#server/security/key-ring.ts'
import { type Codec, unknownSchema } from '#server/store/codec.ts'
import {
  contentBytes,
  type FaceContent,
  type FaceHead,
  headBytes,
  readContent,
  readHead,
} from './face-bytes.ts'

/** A face as it stands in the store: its head, and the rest sealed with the collection's key. */
export interface StoredFace extends FaceHead {
  readonly schema: 1 | 2
  /** What is authenticated with the rest: neither it nor the name of its network can be moved to another face. */
  readonly context: Uint8Array
  readonly sealed: Uint8Array
}

interface Former extends FaceHead {
  /** Text. */
  readonly sealed: string
}

/** What JSON begins with: a face of schema 1. Those of later ones begin with their number. */
const brace = 0x7b
const schema = 2

/**
 * [Note: Faces of both schemas] Schema 2 is bytes, half of what schema 1 took as JSON with base64 in base64. A face of
 * schema 1 is read as ever and stays as it is until it goes: to write a million anew would gain room and nothing else.
 */
export const storedFaceCodec: Codec<StoredFace> = {
  encode: ({ context, sealed }) => Buffer.concat([context, sealed]),
  decode(given) {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
    if (bytes[0] === brace) return readFormer(bytes)
    if (bytes[0] !== schema) throw unknownSchema(bytes[0] ?? 0)
    const { head, length } = readHead(bytes.subarray(1))
    return {
      schema,
      ...head,
      context: bytes.subarray(0, 1 + length),
      sealed: bytes.subarray(1 + length),
    }
  },
}

export function sealFace(key: Uint8Array, head: FaceHead, content: FaceContent): StoredFace {
  const context = Buffer.concat([Buffer.of(schema), headBytes(head)])
  return { schema, ...head, context, sealed: sealBytes(key, context, contentBytes(content)) }
}

/** @throws when the face was altered, or sealed with another key */
export function unsealFace(key: Uint8Array, face: StoredFace): FaceContent {
  const content = openBytes(key, face.context, face.sealed)
  return face.schema === 1 ? readFormerContent(content) : readContent(content)
}

function readFormer(bytes: Buffer): StoredFace {
  const record = JSON.parse(bytes.toString()) as { schema: number; value: Former }
  if (record.schema !== 1) throw unknownSchema(record.schema)
  const { sealed, ...head } = record.value
  const context = Buffer.from(`${head.embeddingModel}/${head.faceId}`)
  return { schema: 1, ...head, context, sealed: Buffer.from(sealed, 'base64url') }
}

function readFormerContent(content: Buffer): FaceContent {
  const { externalId, embedding } = JSON.parse(content.toString()) as {
    externalId: string | null
    embedding: string
  }
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'))
  return { externalId, embedding: new Float32Array(bytes.buffer) }
}
