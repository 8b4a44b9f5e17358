import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { likenessTo } from '#models/rules/quality/poor-look.ts'
import { cosine } from '#models/rules/similarity.ts'
import { hashPerson, openRow, sealRow } from '#server/features/recognition/index/postgres/codes/sealed-row.ts'
import { bytesOfFaceId } from '#server/features/recognition/store/face-id.ts'
import { randomEmbedding } from '../../../../../../support/drawn/random-face.ts'
import { withCosine } from '../../../../../../support/recognition/with-cosine.ts'

const key = Buffer.alloc(32, 3)
const faceId = randomUUID()
const id = bytesOfFaceId(faceId)
const sought = randomEmbedding(1)
const compared = { embedding: sought, likenessOf: likenessTo(sought, 'fr-feature/2'), least: 0 }

test.each([null, '', 'Zo\u00eb', 'x'.repeat(512)])(
  'a row contains its similarity and its person: %s',
  (externalId) => {
    const embedding = withCosine(sought, randomEmbedding(2), 0.5)
    const sealed = sealRow(key, { faceId, externalId, embedding })
    const opened = openRow(key, id, sealed, compared)
    expect(opened.externalId).toBe(externalId)
    expect(Math.abs(opened.likeness - cosine(embedding, sought))).toBeLessThan(1e-4)
  },
)

test('a row takes 2 bytes per number, plus 32', () => {
  expect(sealRow(key, { faceId, externalId: null, embedding: sought })).toHaveLength(2 * 512 + 32)
})

test('a row that was altered, or is of another face or key, is not opened', () => {
  const sealed = sealRow(key, { faceId, externalId: null, embedding: sought })
  expect(() => openRow(key, bytesOfFaceId(randomUUID()), sealed, compared)).toThrow()
  expect(() => openRow(Buffer.alloc(32, 4), id, sealed, compared)).toThrow()
  sealed[40]! ^= 1
  expect(() => openRow(key, id, sealed, compared)).toThrow()
})

test('a person has the same hash in every Unicode form, and no name gives no hash', () => {
  expect(hashPerson(key, 'Zo\u00eb')).toEqual(hashPerson(key, 'Zoe\u0308'))
  expect(hashPerson(key, 'Zoe')).not.toEqual(hashPerson(key, 'Zo\u00eb'))
  expect(hashPerson(key, null)).toBeNull()
})
