import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bytesOfFaceId } from '#server/features/recognition/store/face-id.ts'
import {
  faceRecordCodec,
  idPlaceIn,
  openForSearch,
  sealFace,
  unsealFace,
} from '#server/features/recognition/store/face-record.ts'

const key = Buffer.alloc(32, 5)
const embedding = Float32Array.from([0.6, 0, 0.8])
const second = { model: 'dlib-face/2', embedding: Float32Array.of(1, 0) }
const head = {
  faceId: randomUUID(),
  created: '2026-01-02T03:04:05.000Z',
  embeddingModel: 'fr-feature/2',
  externalIdHash: Buffer.alloc(32, 9).toString('base64url'),
}
const record = (face: Partial<Parameters<typeof sealFace>[2]>, more: object = {}) =>
  faceRecordCodec.encode(sealFace(key, { ...head, ...more }, { externalId: 'anna', embedding, ...face }))

const records = {
  'one embedding': record({}),
  'no external id': record({ externalId: null }, { externalIdHash: null }),
  'two embeddings': record({ second }),
  'embeddings of a newer model': record(
    { second, newer: { embedding: Float32Array.of(1) } },
    { newerModel: 'x/1' },
  ),
}

const model = Buffer.from(head.embeddingModel)

describe('a record in the form of the search', () => {
  test.each(Object.entries(records))('of %s is what a reader of faces reads', (_name, bytes) => {
    const { id, externalId, vector } = openForSearch(bytes, model, key)!
    const read = unsealFace(key, faceRecordCodec.decode(bytes))
    expect(Buffer.from(id)).toEqual(bytesOfFaceId(head.faceId))
    expect(bytes.subarray(idPlaceIn(bytes, 0)).subarray(0, id.length)).toEqual(Buffer.from(id))
    expect(externalId).toBe(read.externalId)
    expect(new Float32Array(Uint8Array.from(vector).buffer)).toEqual(read.embedding)
    expect(read.embedding).toEqual(embedding)
  })

  test.each(['fr-feature/3', 'fr-feature/22', 'fr-feature', ''])('is not one of the model "%s"', (other) => {
    expect(openForSearch(records['one embedding'], Buffer.from(other), key)).toBeUndefined()
  })

  test.each([
    ['altered in its head', 30],
    ['altered in its content', 90],
    ['altered in its tag', records['one embedding'].length - 1],
  ])('that was %s is not opened', (_name, place) => {
    const bytes = Buffer.from(records['one embedding'])
    bytes[place]! ^= 1
    expect(() => openForSearch(bytes, model, key)).toThrow()
  })

  test('of another form, or truncated, is not read', () => {
    expect(() => openForSearch(Buffer.from(records['one embedding']).fill(4, 0, 1), model, key)).toThrow()
    for (const length of [0, 1, 2, 30, 60, 100])
      expect(() => openForSearch(records['one embedding'].subarray(0, length), model, key)).toThrow()
  })
})
