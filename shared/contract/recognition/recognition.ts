import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders, buildersAgain, deciders, everybody } from '../../operator-roles.ts'
import { image } from '../analysis/image.ts'
import { jsonObject, nullableText, text, timestamp, tinyJpeg } from '../elements.ts'
import { externalIdToFind, identityRule, mostCodePoints } from '../identity.ts'
import { limitOfPage, nextCursor } from '../paging.ts'
import { analysis, change, changeByPicture, forFaces } from '../policies.ts'
import {
  collectionId,
  exampleFaceId,
  exampleFound,
  externalIdOfFace,
  faceFound,
  faceMatchThreshold,
  gated,
  mostCollectionIdCharacters,
  notEmpty,
  oneFace,
  qualityGate,
  refusedBy,
} from './face-elements.ts'
import { searchCandidates, updateFace } from './named-faces.ts'

const mostDescriptionCharacters = 1024

/** A new collection's id, which may contain any characters. */
export const newCollectionId = v.pipe(
  notEmpty,
  mostCodePoints(mostCollectionIdCharacters),
  identityRule,
  v.description('The id of the collection; any visible characters, unique in the account.'),
)

const description = v.nullable(
  v.pipe(
    v.string(),
    mostCodePoints(mostDescriptionCharacters),
    v.description('The purpose of the collection, or null.'),
  ),
)

const overview = {
  collectionId: text('The collection.'),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last updated; adding or deleting faces does not count.'),
}

const named = v.object({ collectionId: text('The collection.') })
const nothing = v.object({})

export const getCollection = endpoint({
  ignoresUnknownNames: true,
  method: 'GET',
  path: '/v1/collection/get',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: everybody,
  query: v.object({ collectionId }),
  result: v.object({
    recognitionCollection: v.pipe(
      v.object({
        collectionId: overview.collectionId,
        description: nullableText('The purpose of the collection, or null.'),
        createdAt: overview.createdAt,
        updatedAt: overview.updatedAt,
      }),
      v.description('The collection.'),
    ),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Returns a collection of faces.',
  description:
    'Sessions store faces in collections too: each verification has one, whose collectionId is the verificationId.',
  example: { query: { collectionId: 'members' } },
})

export const getAllCollections = endpoint({
  ignoresUnknownNames: true,
  method: 'GET',
  path: '/v1/collection/get-all',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: everybody,
  result: v.object({
    collections: v.pipe(
      v.array(v.object(overview)),
      v.description('All collections of the account, oldest first; may be empty.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Lists the collections of the account.',
  example: {},
})

export const createCollection = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/collection/create',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: builders,
  ...change,
  body: jsonObject({ collectionId: newCollectionId, description: v.optional(description, null) }),
  result: named,
  errors: [400, 401, 403, 409],
  summary: 'Creates an empty collection.',
  description: 'An id that already exists is a 409. Only the description can be changed later.',
  example: { body: { collectionId: 'members', description: 'Everybody with a card' } },
})

export const updateCollection = endpoint({
  ignoresUnknownNames: true,
  method: 'PUT',
  path: '/v1/collection/update',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: builders,
  ...change,
  body: jsonObject({ collectionId, description: v.optional(description) }),
  result: named,
  errors: [400, 401, 403, 404],
  summary: 'Changes the description of a collection.',
  description: 'Null removes the description; if it is absent, it stays unchanged.',
  example: { body: { collectionId: 'members', description: 'Everybody with a card of this year' } },
})

export const deleteCollection = endpoint({
  ignoresUnknownNames: true,
  method: 'DELETE',
  path: '/v1/collection/delete',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: buildersAgain,
  ...change,
  query: v.object({ collectionId }),
  result: nothing,
  errors: [400, 401, 403],
  summary: 'Deletes a collection with every face in it.',
  description:
    'Idempotent: a collection that does not exist is also a 200. The key that sealed the faces is erased with them.',
  example: { query: { collectionId: 'members' } },
})

const inMembers = { image: { bytes: tinyJpeg }, collectionId: 'members' }

export const searchFace = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/face/search',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: deciders,
  ...analysis,
  body: jsonObject({ image, collectionId, faceMatchThreshold }),
  result: v.object({
    ...faceFound,
    faceId: nullableText('The most similar face of the collection, or null if none reaches the threshold.'),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Searches a collection for the face of a picture.',
  description: `Nothing is stored. ${oneFace}`,
  example: { body: { ...inMembers, faceMatchThreshold: 80 } },
})

export const indexFace = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/face/index',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: builders,
  ...changeByPicture,
  body: jsonObject({ image, collectionId, externalId: externalIdOfFace, qualityGate }),
  result: v.object({
    ...faceFound,
    faceId: nullableText('The id of the new face; null if the picture shows none or was rejected.'),
    refusedBy,
  }),
  errors: [400, 401, 403, 404],
  summary: 'Adds the face of a picture to a collection.',
  description: `Adds without searching: the same face added twice becomes two faces with two ids. Only the sealed embedding is stored, not the picture. ${gated} ${oneFace}`,
  example: {
    body: { ...inMembers, externalId: 'user-42', qualityGate: { least: 50 } },
    answer: { ...exampleFound, faceId: exampleFaceId },
  },
})

export const resultSources = ['None', 'Search', 'Index'] as const
export type ResultSource = (typeof resultSources)[number]

export const searchOrIndexFace = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/face/search-or-index',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: builders,
  ...changeByPicture,
  body: jsonObject({ image, collectionId, faceMatchThreshold, externalId: externalIdOfFace, qualityGate }),
  result: v.object({
    ...faceFound,
    faceId: nullableText('The face that was found or added; null if the picture shows none or was rejected.'),
    resultSource: v.pipe(
      v.picklist(resultSources),
      v.description(
        'Search: the face was known. Index: it was new and has been added. None: the picture shows no face or was rejected.',
      ),
    ),
    refusedBy,
  }),
  errors: [400, 401, 403, 404],
  summary: 'Searches a collection for the face of a picture, and adds the face if it is not found.',
  description: `Works atomically: if the same new face is sent in several requests at once, one adds it and the others find it. A known face keeps its external id. ${gated} ${oneFace}`,
  example: {
    body: { ...inMembers, faceMatchThreshold: 80, qualityGate: { least: 50 } },
    answer: {
      ...exampleFound,
      faceId: null,
      resultSource: 'None',
      refusedBy: ['sharpness', 'interEyeDistance'],
    },
  },
})

/** Faces are only counted up to this number. [Note: Ours] */
export const mostCounted = 10_000

const keptFace = v.object({
  faceId: text('The face.'),
  externalId: nullableText('The external id of the face, or null.'),
  created: timestamp('When it was stored.'),
  embeddingModel: text('The network that computed its embedding.'),
})

/** [Note: Ours] */
export const getAllFaces = endpoint({
  method: 'GET',
  path: '/v1/face/get-all',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: everybody,
  query: v.object({
    collectionId,
    externalId: v.optional(externalIdToFind('Only faces with this external id.')),
    limit: limitOfPage,
    cursor: v.optional(
      v.pipe(
        notEmpty,
        v.maxLength(100, 'Must be a nextCursor returned by this list.'),
        v.description('The `nextCursor` of the previous page.'),
      ),
    ),
  }),
  result: v.object({
    faces: v.pipe(
      v.array(keptFace),
      v.description('Faces, in no particular order. Their embeddings are never returned.'),
    ),
    nextCursor,
    faceCount: v.pipe(
      v.nullable(v.pipe(v.number(), v.integer())),
      v.description(
        `Number of faces in the collection; null if there are more than ${mostCounted}, if an external id is given, and on later pages.`,
      ),
    ),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Lists the faces of a collection.',
  description:
    'A face that exists from the first page to the last is listed once. Faces that are added or deleted meanwhile may be missing.',
  example: {
    query: { collectionId: 'members', limit: 20 },
    answer: {
      faces: [
        {
          faceId: exampleFaceId,
          externalId: 'user-42',
          created: '2026-11-24T09:30:00.000Z',
          embeddingModel: 'fr-feature/2',
        },
      ],
      nextCursor: null,
      faceCount: 1,
    },
  },
})

export const deleteFace = endpoint({
  ignoresUnknownNames: true,
  method: 'DELETE',
  path: '/v1/face/delete',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: buildersAgain,
  ...change,
  query: v.object({ collectionId, faceId: v.pipe(notEmpty, v.description('The face.')) }),
  result: nothing,
  errors: [400, 401, 403, 404],
  summary: 'Deletes a face of a collection.',
  description: 'A collection that does not exist is a 404; a face that does not exist is a 200.',
  example: { query: { collectionId: 'members', faceId: '5f0c9a38-4d0e-4a0f-8d4e-0f3c1a7b2e64' } },
})

export const recognitionEndpoints = {
  getCollection,
  getAllCollections,
  createCollection,
  updateCollection,
  deleteCollection,
  searchFace,
  indexFace,
  searchOrIndexFace,
  deleteFace,
  getAllFaces,
  searchCandidates,
  updateFace,
}
