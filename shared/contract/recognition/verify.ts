import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders, buildersAgain, nobody } from '../../operator-roles.ts'
import { genderConfidence } from '../analysis/demographic.ts'
import { flag, jsonObject, nullableText, queryBoolean, queryInteger, text, tinyJpeg } from '../elements.ts'
import { externalIdMaximum, identityRule, mostCodePoints } from '../identity.ts'
import { change, changeByPicture, forFaces } from '../policies.ts'
import { expirationInSeconds } from '../security/security.ts'
import { collectionId } from './face-elements.ts'
import { newCollectionId } from './recognition.ts'

const entryLimits = { minimum: 1, maximum: 2 ** 31 - 1, default: 50 } as const

const milliseconds = v.pipe(v.number(), v.minValue(0), v.description('Duration of the part.'))
export const getVerifyToken = endpoint({
  ignoresUnknownNames: true,
  method: 'GET',
  path: '/api/v1/verify/get-token',
  auth: 'key',
  scope: 'tokens',
  console: nobody,
  query: v.object({ expirationInSeconds }),
  result: text('The bearer token, a JWT signed with ES256.'),
  errors: [400, 401, 403],
  summary: 'Issues a time-limited bearer token for client-side use.',
  description:
    'The key may be sent in `X-API-Key` or in `Authorization`. Returns the token as plain text without quotes, the same as that of `/v1/token/get`.',
  plainText: true,
  example: { query: { expirationInSeconds: 900 } },
})

/** [Note: Ours] Ten-year ranges from 5 upwards, so that 25-34 is one of them. The youngest range is 0-4. */
const ageRange = v.pipe(
  v.string(),
  v.regex(/^\d+-\d+$/),
  v.description(
    'Estimated age as a range of ten years, both ends included: 0-4, 5-14, 15-24, 25-34 and so on.',
  ),
)

const demographicalInfo = v.pipe(
  v.nullable(
    v.object({
      age: ageRange,
      gender: v.pipe(v.picklist(['Male', 'Female']), v.description('Estimated gender, by appearance.')),
      genderConfidence,
    }),
  ),
  v.description('Present only if requested; null if the picture shows no face.'),
)

export const verifyDuplicate = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/api/v1/verify/verify-duplicate',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: builders,
  ...changeByPicture,
  query: v.object({
    collectionName: newCollectionId,
    externalIdentifier: v.optional(
      v.pipe(
        v.string(),
        identityRule,
        v.normalize('NFC'),
        mostCodePoints(externalIdMaximum),
        v.description(
          'The external id of the person, stored with the face if it is new. Empty counts as absent.',
        ),
      ),
    ),
    includeDemographicalInfo: v.pipe(queryBoolean(), v.description('True if age and gender are estimated.')),
  }),
  body: jsonObject({
    imageData: v.pipe(
      v.string(),
      v.description('Base64 of a JPEG or PNG picture, at most 10 MiB and 40 megapixels.'),
    ),
  }),
  result: v.object({
    collectionName: text('The collection.'),
    faceId: nullableText(
      'The known face if this is a duplicate, otherwise the face that was added; null if there is no face or the collection was full.',
    ),
    hasFace: flag('True if the picture shows a face.'),
    demographicalInfo: v.optional(demographicalInfo),
    isDuplicate: flag('True if the face was already in the collection.'),
    isCollectionFull: flag('True if the collection was full, so that a new face was not added.'),
    externalIdentifierOfDuplicate: v.optional(
      nullableText(
        'Present only for a duplicate: the external id of the known face, or null if it has none.',
      ),
    ),
    /** [Note: Ours] */
    galleryTooLarge: v.optional(
      flag('True if the collection has more faces than the scores are calibrated for.'),
    ),
    telemetry: v.pipe(
      v.array(v.object({ name: text('The name of the step.'), durationInMilliseconds: milliseconds })),
      v.description('Durations of the steps.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Checks whether a face is already in a collection, and adds it if not.',
  description:
    'The collection is created on first use. Works atomically: if the same new face is sent in several requests at once, one adds it and the others are duplicates. The threshold is chosen so that at most one search in a hundred of the whole collection finds a match for a stranger, and is never below 80. If the picture shows several faces, the dominant one is used.',
  example: {
    query: { collectionName: 'members', externalIdentifier: 'user-42', includeDemographicalInfo: true },
    body: { imageData: tinyJpeg },
  },
})

export const resetCollection = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/api/v1/verify/reset-collection',
  auth: 'key-or-bearer',
  scope: forFaces,
  console: buildersAgain,
  ...change,
  query: v.object({
    collectionName: collectionId,
    entryLimit: v.optional(
      v.pipe(
        queryInteger(entryLimits.minimum, entryLimits.maximum),
        v.description('Maximum number of faces to delete.'),
      ),
      entryLimits.default,
    ),
  }),
  result: v.object({
    numberOfEntriesDeleted: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description('Number of deleted faces.'),
    ),
    errorMessage: nullableText(
      'Null on success; otherwise the error, such as a collection that does not exist.',
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Deletes faces of a collection but keeps the collection.',
  description:
    'Deletes up to the limit, in no particular order. Repeat the call until nothing is deleted. A collection that does not exist is a 200 with an `errorMessage`.',
  example: { query: { collectionName: 'members', entryLimit: 50 } },
})

export const verifyEndpoints = {
  getVerifyToken,
  verifyDuplicate,
  resetCollection,
}
