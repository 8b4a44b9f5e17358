import * as v from 'valibot'
import { exampleFace } from '../analysis/face-quality.ts'
import { face, isComparable, unprocessedFaceCount } from '../analysis/image.ts'
import { qualityComponents } from '../analysis/quality-components.ts'
import { flag, jsonObject } from '../elements.ts'
import { externalId, identityRule, mostCodePoints } from '../identity.ts'

export const faceMatchThresholds = { minimum: 0, maximum: 100, default: 80 } as const

export const notEmpty = v.pipe(v.string(), v.minLength(1, 'Must not be empty.'))
export const mostCollectionIdCharacters = 512
export const collectionId = v.pipe(
  notEmpty,
  mostCodePoints(mostCollectionIdCharacters),
  identityRule,
  v.description('The collection.'),
)

/** The minimum score for two faces to count as the same person. */
export const faceMatchThreshold = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(faceMatchThresholds.minimum),
    v.maxValue(faceMatchThresholds.maximum),
    v.description(
      'Lowest score at which two faces count as the same person. The false match rate of one comparison is 1e-3 at 70, 1e-4 at 80, 1e-5 at 90 and 1e-6 at 95. For a search it grows with the size of the collection.',
    ),
  ),
  faceMatchThresholds.default,
)

/** Members that describe the face in a picture. */
export const faceFound = {
  face: v.pipe(v.nullable(face), v.description('The dominant face of the picture; null if there is none.')),
  hasFace: flag('True if the picture shows a face.'),
  /** [Note: Ours] */
  isComparable: v.optional(isComparable),
  unprocessedFaceCount,
}
export const oneFace =
  'If the picture shows several faces, the dominant one is used and `unprocessedFaceCount` counts the others.'

export const exampleFaceId = '5f0c9a38-4d0e-4a0f-8d4e-0f3c1a7b2e64'
export const exampleFound = {
  face: exampleFace,
  hasFace: true,
  isComparable: true,
  unprocessedFaceCount: 0,
} as const

/** [Note: Ours] A face's external id. */
export const externalIdOfFace = v.optional(
  v.nullable(
    externalId(
      "The external id of the face's owner; null counts as absent. Faces may share one, as samples of one person.",
    ),
  ),
  null,
)

/** [Note: Ours] The quality that a picture must have before its face is stored. */
export const qualityGate = v.optional(
  v.pipe(
    jsonObject({
      least: v.pipe(
        v.number(),
        v.minValue(0),
        v.maxValue(100),
        v.description('Lowest unified score, on the scale of get-quality.'),
      ),
    }),
    v.description('Required quality of the picture; no requirement by default.'),
  ),
)
export type QualityGate = NonNullable<v.InferOutput<typeof qualityGate>>

/** [Note: Ours] */
export const refusedBy = v.optional(
  v.pipe(
    v.array(v.picklist(qualityComponents)),
    v.description(
      'Present only if the quality gate rejected the picture: the components below 50, worst first; may be empty.',
    ),
  ),
)

export const gated =
  'If the unified score of the face is below `qualityGate.least`, nothing is searched or stored: `hasFace` is true, `faceId` is null, and `refusedBy` lists the poor components.'
