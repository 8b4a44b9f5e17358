import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { genderConfidence } from '../analysis/demographic.ts'
import { builders, buildersAgain, nobody } from '../console/operator-roles.ts'
import { flag, jsonObject, nullableText, queryBoolean, queryInteger, text, tinyJpeg } from '../elements.ts'
import { externalIdMaximum, identityRule, mostCodePoints } from '../identity.ts'
import { change, changeByPicture, forFaces } from '../policies.ts'
import { expirationInSeconds } from '../security/security.ts'
import { collectionId } from './face-elements.ts'
import { newCollectionId } from './recognition.ts'

const entryLimits = { minimum: 1, maximum: 2 ** 31 - 1, default: 50 } as const

const milliseconds = v.pipe(v.number(), v.minValue(0), v.description('How long it took.'))
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
    'The key may stand in `X-API-Key` or in `Authorization`. Answers the token as plain text without quotes; it is the same as that of `/v1/token/get`.',
  plainText: true,
  example: { query: { expirationInSeconds: 900 } },
})

/** [Note: Ours] Ten years wide, from 5 on, so that 25-34 is one of them; the youngest is 0-4. */
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
  v.description('Only where it was asked for; null where the picture shows no face.'),
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
          'Who this is, in your words: stored with the face where it is new. Empty is the same as absent.',
        ),
      ),
    ),
    includeDemographicalInfo: v.pipe(queryBoolean(), v.description('Whether age and gender are estimated.')),
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
      'The known face where this is a duplicate, else the face that was added; null where there is no face, or where the collection was full.',
    ),
    hasFace: flag('A face was found in the picture.'),
    demographicalInfo: v.optional(demographicalInfo),
    isDuplicate: flag('The face was in the collection already.'),
    isCollectionFull: flag('The collection was full already: a new face was not added.'),
    externalIdentifierOfDuplicate: v.optional(
      nullableText('Only where this is a duplicate: who the known face is, or null where nobody said.'),
    ),
    /** [Note: Ours] */
    galleryTooLarge: v.optional(flag('The collection holds more faces than the scores are calibrated for.')),
    telemetry: v.pipe(
      v.array(v.object({ name: text('What was done.'), durationInMilliseconds: milliseconds })),
      v.description('How long each part took.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Tells whether a face is in a collection already, and adds it where it is not.',
  description:
    'The collection is made on first use. One step: of simultaneous requests with the same new face one adds it and the others are duplicates. The threshold is chosen so that a search of the whole collection finds a stranger in at most one of a hundred, and is never below 80. Where the picture shows several faces the dominant one is used.',
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
        v.description('How many faces to delete at most.'),
      ),
      entryLimits.default,
    ),
  }),
  result: v.object({
    numberOfEntriesDeleted: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description('How many were deleted.'),
    ),
    errorMessage: nullableText(
      'Null on success; else what went wrong, such as a collection that does not exist.',
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Deletes faces of a collection, and keeps the collection.',
  description:
    'Deletes as many as the limit allows, whichever; call it again until nothing is deleted. A collection that does not exist is a 200 with an `errorMessage`.',
  example: { query: { collectionName: 'members', entryLimit: 50 } },
})

export const verifyEndpoints = {
  getVerifyToken,
  verifyDuplicate,
  resetCollection,
}
