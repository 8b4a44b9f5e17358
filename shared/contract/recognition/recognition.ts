import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { limitOfPage, nextCursor } from '../account/audit.ts'
import { image } from '../analysis/image.ts'
import { builders, buildersAgain, deciders, everybody } from '../console/operator-roles.ts'
import { jsonObject, nullableText, text, timestamp, tinyJpeg } from '../elements.ts'
import { externalIdToFind, identityRule, mostCodePoints } from '../identity.ts'
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

/** The id that a collection is given by its maker: any characters. */
export const newCollectionId = v.pipe(
  notEmpty,
  mostCodePoints(mostCollectionIdCharacters),
  identityRule,
  v.description('The id of the collection; any characters that are seen, unique in the account.'),
)

const description = v.nullable(
  v.pipe(
    v.string(),
    mostCodePoints(mostDescriptionCharacters),
    v.description('What the collection is for; null for nothing.'),
  ),
)

const overview = {
  collectionId: text('The collection.'),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was updated last; faces that come and go leave this as it is.'),
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
        description: nullableText('What it is for, or null.'),
        createdAt: overview.createdAt,
        updatedAt: overview.updatedAt,
      }),
      v.description('The collection.'),
    ),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Returns a collection of faces.',
  description:
    'The faces that sessions remember are in collections too: each verification has one, whose collectionId is the verificationId.',
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
      v.description('Every collection of the account, the oldest first; may be empty.'),
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
  description: 'An id that is taken is a 409. Only the description can be changed later.',
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
  description: 'Null removes the description; where it is omitted it stays as it is.',
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
    'Idempotent: a collection that does not exist is a 200 as well. The key that sealed the faces is erased with them.',
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
    faceId: nullableText(
      'The face of the collection that is most alike, or null where none reaches the threshold.',
    ),
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
    faceId: nullableText(
      'The id of the face that was added; null where the picture shows none, and where it was refused.',
    ),
    refusedBy,
  }),
  errors: [400, 401, 403, 404],
  summary: 'Adds the face of a picture to a collection.',
  description: `Nothing is searched: the same face added twice is two faces with two ids. Only its embedding is kept, sealed, never the picture. ${gated} ${oneFace}`,
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
    faceId: nullableText(
      'The face that was found or added; null where the picture shows none, and where it was refused.',
    ),
    resultSource: v.pipe(
      v.picklist(resultSources),
      v.description(
        'Search: it was known. Index: it was not, and was added. None: the picture shows no face, or was refused.',
      ),
    ),
    refusedBy,
  }),
  errors: [400, 401, 403, 404],
  summary: 'Searches a collection for the face of a picture, and adds it where it is not known.',
  description: `One step: of simultaneous requests with the same new face one adds it and the others find it. A face that is known keeps its external id. ${gated} ${oneFace}`,
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

/** Up to so many faces are counted. [Note: Ours] */
export const mostCounted = 10_000

const keptFace = v.object({
  faceId: text('The face.'),
  externalId: nullableText('Whose it is, where somebody said; or null.'),
  created: timestamp('When it was kept.'),
  embeddingModel: text('The network that its numbers are of.'),
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
    externalId: v.optional(externalIdToFind('Only the faces of this external id.')),
    limit: limitOfPage,
    cursor: v.optional(
      v.pipe(
        notEmpty,
        v.maxLength(100, 'Must be a nextCursor returned by this list.'),
        v.description('The `nextCursor` of the page before.'),
      ),
    ),
  }),
  result: v.object({
    faces: v.pipe(
      v.array(keptFace),
      v.description('Faces, in no order that means anything. Their numbers are told to nobody.'),
    ),
    nextCursor,
    faceCount: v.pipe(
      v.nullable(v.pipe(v.number(), v.integer())),
      v.description(
        `How many faces the collection has; null where there are more than ${mostCounted}, with an external id, and on later pages.`,
      ),
    ),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Lists the faces of a collection.',
  description:
    'A face that is there from the first page to the last is listed once; one that comes or goes meanwhile may be or not.',
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
