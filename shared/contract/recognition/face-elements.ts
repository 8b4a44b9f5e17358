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

/** The score that counts as the same person. */
export const faceMatchThreshold = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(faceMatchThresholds.minimum),
    v.maxValue(faceMatchThresholds.maximum),
    v.description(
      'The score that two faces of one person must reach. The false positive rate of one comparison is 1e-3 at 70, 1e-4 at 80, 1e-5 at 90 and 1e-6 at 95; of a search it grows with the size of the collection.',
    ),
  ),
  faceMatchThresholds.default,
)

/** What is answered of the face of a picture. */
export const faceFound = {
  face: v.pipe(
    v.nullable(face),
    v.description('The dominant face of the picture; null where there is none.'),
  ),
  hasFace: flag('A face was found in the picture.'),
  /** [Note: Ours] */
  isComparable: v.optional(isComparable),
  unprocessedFaceCount,
}
export const oneFace =
  'Where the picture shows several faces the dominant one is used, and `unprocessedFaceCount` counts the others.'

export const exampleFaceId = '5f0c9a38-4d0e-4a0f-8d4e-0f3c1a7b2e64'
export const exampleFound = {
  face: exampleFace,
  hasFace: true,
  isComparable: true,
  unprocessedFaceCount: 0,
} as const

/** [Note: Ours] Whose face it is. */
export const externalIdOfFace = v.optional(
  v.nullable(
    externalId(
      'Whose face it is, in your words; null is as absent. Faces may share one: samples of a person.',
    ),
  ),
  null,
)

/** [Note: Ours] What is asked of a picture before its face is kept. */
export const qualityGate = v.optional(
  v.pipe(
    jsonObject({
      least: v.pipe(
        v.number(),
        v.minValue(0),
        v.maxValue(100),
        v.description('The least unified score, as get-quality tells it.'),
      ),
    }),
    v.description('What is asked of the picture; absent: nothing.'),
  ),
)
export type QualityGate = NonNullable<v.InferOutput<typeof qualityGate>>

/** [Note: Ours] */
export const refusedBy = v.optional(
  v.pipe(
    v.array(v.picklist(qualityComponents)),
    v.description(
      'Only where the quality gate refused the picture: the components below 50, the worst first; empty where none is.',
    ),
  ),
)

export const gated =
  'Where the unified score of the face is below `qualityGate.least` nothing is searched or kept: `hasFace` is true, `faceId` null, and `refusedBy` names what is poor.'
