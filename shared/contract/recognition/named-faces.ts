import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders, deciders } from '../../operator-roles.ts'
import { exampleQuality, faceQuality } from '../analysis/face-quality.ts'
import { image } from '../analysis/image.ts'
import { flag, jsonObject, nullableText, text, timestamp, tinyJpeg } from '../elements.ts'
import { externalId } from '../identity.ts'
import { analysis, change, forFaces } from '../policies.ts'
import {
  collectionId,
  exampleFaceId,
  exampleFound,
  faceFound,
  faceMatchThreshold,
  notEmpty,
  oneFace,
} from './face-elements.ts'

/** [Note: Ours] */
const candidateLimits = { collections: 10, candidates: 100, defaultCandidates: 10 } as const

/** Findings that a candidate search may report in addition to its matches. */
export const candidateFindings = ['galleryTooLarge'] as const

const collectionIds = v.pipe(
  v.array(collectionId),
  v.minLength(1, 'Must name a collection.'),
  v.maxLength(candidateLimits.collections, `Must name at most ${candidateLimits.collections} collections.`),
  v.check((ids) => new Set(ids).size === ids.length, 'Must not name a collection twice.'),
  v.description('The collections to search: up to ten, without duplicates.'),
)

const candidate = v.object({
  collectionId: text('The collection of the face.'),
  faceId: text('The face.'),
  externalId: nullableText('The external id of the face; null if it has none.'),
  similarity: v.pipe(
    v.number(),
    v.minValue(-1),
    v.maxValue(100),
    v.description('Similarity of the two faces, on the scale of faceMatchThreshold; higher is better.'),
  ),
  indexedAt: timestamp('When the face was stored.'),
})

/** [Note: Ours] */
export const searchCandidates = endpoint({
  method: 'POST',
  path: '/v1/face/search-candidates',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: deciders,
  ...analysis,
  body: jsonObject({
    image,
    collectionIds,
    faceMatchThreshold,
    maxCandidates: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(candidateLimits.candidates),
        v.description('Maximum number of candidates.'),
      ),
      candidateLimits.defaultCandidates,
    ),
    onePerExternalId: v.optional(
      flag(
        'True if only the best face of each external id is returned. Faces without an external id are not grouped.',
      ),
      false,
    ),
  }),
  result: v.object({
    ...faceFound,
    quality: v.pipe(
      v.nullable(faceQuality),
      v.description('Quality of the face in the picture; null if there is none.'),
    ),
    candidates: v.pipe(
      v.array(candidate),
      v.description(
        'Faces that reach the threshold, most similar first, then by faceId; empty if there are none.',
      ),
    ),
    isExact: v.optional(
      flag(
        'Present only if false: with a pack of two networks, more than 1,024 faces of a collection came near and the rest were not compared by both; or PostgreSQL servers keep the faces, and the threshold is below 80 or very many faces came near.',
      ),
    ),
    findings: v.optional(
      v.pipe(
        v.array(v.picklist(candidateFindings)),
        v.description(
          'Present only if there are any. `galleryTooLarge`: a collection has more faces than the networks can distinguish (10,000), so strangers often reach the threshold and search-or-index adds hardly any new people.',
        ),
      ),
    ),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Finds the most similar faces and their external ids in several collections at once.',
  description: `Nothing is stored. The candidates are the same as those of a comparison with every face. The false match rate of a search grows with the number of searched faces. ${oneFace}`,
  example: {
    body: {
      image: { bytes: tinyJpeg },
      collectionIds: ['members', 'staff'],
      faceMatchThreshold: 80,
      maxCandidates: 10,
      onePerExternalId: true,
    },
    answer: {
      ...exampleFound,
      quality: exampleQuality,
      candidates: [
        {
          collectionId: 'members',
          faceId: exampleFaceId,
          externalId: 'user-42',
          similarity: 96.2,
          indexedAt: '2026-11-24T09:30:00.000Z',
        },
        {
          collectionId: 'staff',
          faceId: '0b6f2f1e-93d0-4c57-8c43-7f1d1c0a2b95',
          externalId: null,
          similarity: 81.7,
          indexedAt: '2026-10-02T14:05:12.480Z',
        },
      ],
    },
  },
})

/** [Note: Ours] */
export const updateFace = endpoint({
  method: 'PUT',
  path: '/v1/face/update',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: builders,
  ...change,
  body: jsonObject({
    collectionId,
    faceId: v.pipe(notEmpty, v.description('The face.')),
    externalId: v.nullable(externalId('The new external id of the face; null removes it.')),
  }),
  result: v.object({ collectionId: text('The collection.'), faceId: text('The face.') }),
  errors: [400, 401, 403, 404],
  summary: 'Changes or removes the external id of a face.',
  description:
    'Corrects a face that has a wrong external id or none. A collection or a face that does not exist is a 404.',
  example: {
    body: { collectionId: 'members', faceId: exampleFaceId, externalId: 'user-42' },
    answer: { collectionId: 'members', faceId: exampleFaceId },
  },
})
