import { createHmac } from 'node:crypto'
import type { LikenessTo } from '#models/rules/quality/poor-look.ts'
import { bytesOfFaceId } from '#server/features/recognition/store/face-id.ts'
import { openBytes, sealBytes } from '#server/platform/crypto/key-ring.ts'
import { canonicalIdentity } from '#shared/identity/identity-text.ts'

/** Each embedding component is a 16-bit integer, which halves the size and changes cosines by about 0.00001. */
const scale = 32_767
const noExternalId = 0xffff_ffff
const lengthBytes = 4
const personBytes = 16

/** A row's content, apart from the code. */
export interface OpenedRow {
  readonly externalId: string | null
  /** See `likenessBy`. A cosine below the requested one is left unchanged. */
  readonly likeness: number
}

/**
 * Seals an embedding and its external ID with the collection's key, for one face's row.
 * [Note: Rounded, and looked at again] Matches are compared once more using the full values in the store.
 */
export function sealRow(
  key: Uint8Array,
  { faceId, externalId, embedding }: { faceId: string; externalId: string | null; embedding: Float32Array },
): Buffer {
  const id = Buffer.from(externalId ?? '')
  const head = Buffer.alloc(lengthBytes)
  head.writeUInt32LE(externalId === null ? noExternalId : id.length)
  const rounded = new Int16Array(embedding.length)
  for (let i = 0; i < rounded.length; i++) rounded[i] = Math.round(embedding[i]! * scale)
  const numbers = new Uint8Array(rounded.buffer)
  return sealBytes(key, contextOf(bytesOfFaceId(faceId)), Buffer.concat([numbers, head, id]))
}

/** The other side of a comparison with a row. */
export interface ComparedEmbedding {
  /** A unit vector. */
  readonly embedding: Float32Array
  readonly likenessOf: LikenessTo
  readonly least: number
}

/** A row's likeness and its external ID. @throws if it was altered, or belongs to another face or key */
export function openRow(
  key: Uint8Array,
  faceId: Uint8Array,
  sealed: Uint8Array,
  { embedding, likenessOf, least }: ComparedEmbedding,
): OpenedRow {
  const content = openBytes(key, contextOf(faceId), sealed)
  const end = embedding.length * 2
  const idLength = content.readUInt32LE(end)
  const start = end + lengthBytes
  const numbers = numbersIn(content, embedding.length)
  const cosine = dot(numbers, embedding) / scale
  const rounded = () => Float32Array.from(numbers, (value) => value / scale)
  return {
    externalId: idLength === noExternalId ? null : content.toString('utf8', start, start + idLength),
    likeness: cosine < least ? cosine : likenessOf(cosine, rounded()),
  }
}

function numbersIn(content: Buffer, length: number): Int16Array {
  // A buffer from a pool may begin at an odd offset.
  return content.byteOffset % 2 === 0
    ? new Int16Array(content.buffer, content.byteOffset, length)
    : new Int16Array(Uint8Array.from(content.subarray(0, length * 2)).buffer)
}

function dot(numbers: Int16Array, sought: Float32Array): number {
  let [a, b] = [0, 0]
  for (let i = 0; i < sought.length; i += 2) {
    a += numbers[i]! * sought[i]!
    b += numbers[i + 1]! * sought[i + 1]!
  }
  return a + b
}

function contextOf(faceId: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('face-row'), faceId])
}

/** A keyed hash that finds an external ID's rows without revealing it. */
export function hashPerson(key: Uint8Array, externalId: string | null): Buffer | null {
  if (externalId === null) return null
  const hmac = createHmac('sha256', key).update('face-row-person').update(canonicalIdentity(externalId))
  return hmac.digest().subarray(0, personBytes)
}
