import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { tinyJpeg } from '../elements.ts'
import { analysis } from '../policies.ts'
import { landmarks2D, pointCount } from './emotion-attention.ts'
import { face, image, isComparable, maxFaceCount, unprocessedFaceCount } from './image.ts'
import { type QualityComponent, qualityComponents } from './quality-components.ts'

const score = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))
const number = (meaning: string) => v.pipe(v.number(), v.description(meaning))

/** The conditions that lower each component. The formulas are in models/rules/quality/. */
const meanings: Readonly<Record<QualityComponent, string>> = {
  backgroundUniformity: 'Lower if there are many edges around the head.',
  illuminationUniformity: 'Lower if the two halves of the face are lit differently.',
  luminanceMean: 'Lower if the whole face is dark or too bright.',
  luminanceVariance: 'Lower if the light on the face is flat or harsh.',
  underExposurePrevention: 'Lower with the share of nearly black pixels.',
  overExposurePrevention: 'Lower with the share of nearly white pixels.',
  dynamicRange: 'Lower if the face uses few grey levels.',
  sharpness: 'Lower with blur.',
  compressionArtifacts: 'Lower with visible JPEG compression blocks.',
  naturalColour:
    'Lower if the skin has a colour that natural light does not produce; also for grey pictures.',
  singleFacePresent: 'Lower with the size of the largest other face.',
  eyesOpen: 'Lower if an eye is closed.',
  mouthClosed: 'Lower if the mouth is open.',
  eyesVisible: 'Always null: not measured.',
  mouthOcclusionPrevention: 'Lower if a mask, a scarf or a hand covers the mouth.',
  faceOcclusionPrevention: 'Lower if something covers part of the face.',
  interEyeDistance: 'Lower with fewer pixels between the eyes; 50 at 70 pixels.',
  headSize: 'Lower if the head is smaller or larger than in a passport photograph.',
  leftwardCropOfTheFaceImage: 'Lower if the face is close to the left edge of the picture.',
  rightwardCropOfTheFaceImage: 'Lower if the face is close to the right edge of the picture.',
  marginAboveOfTheFaceImage: 'Lower if the face is close to the upper edge of the picture.',
  marginBelowOfTheFaceImage: 'Lower if the face is close to the lower edge of the picture.',
  headPoseYaw: 'Lower the more the head is turned.',
  headPosePitch: 'Lower if the head is raised or lowered.',
  headPoseRoll: 'Lower the more the head is tilted.',
  expressionNeutrality: 'Lower if the face shows an expression.',
  noHeadCoverings: 'Always null: not measured.',
}

const measured = (name: QualityComponent) => v.pipe(v.nullable(score), v.description(meanings[name]))

/** A face's quality components. */
export const qualityOfComponents = v.object(
  Object.fromEntries(qualityComponents.map((name) => [name, measured(name)])) as Record<
    QualityComponent,
    ReturnType<typeof measured>
  >,
)

/** A face's quality, as returned by get-quality and search-candidates. */
export const faceQuality = v.object({
  unifiedScore: v.pipe(
    score,
    v.description(
      'How well the face can be recognised. One press photograph in eight scores below 50, one in two below 80.',
    ),
  ),
  components: v.pipe(
    qualityOfComponents,
    v.description(
      'Factors that raise or lower the quality, named as in ISO/IEC 29794-5:2025, without a claim of conformance.',
    ),
  ),
})

const notMeasured: readonly QualityComponent[] = ['eyesVisible', 'noHeadCoverings']

/** Part of an example answer for a good picture. */
/** The face in example answers. */
export const exampleFace = { confidence: 0.98, boundingBox: { x: 218, y: 115, width: 204, height: 255 } }

/** The quality in example answers. */
export const exampleQuality = {
  unifiedScore: 84,
  components: Object.fromEntries(
    qualityComponents.map((name) => [name, notMeasured.includes(name) ? null : 92]),
  ) as Record<QualityComponent, number | null>,
}

const answer = {
  faces: [
    {
      face: exampleFace,
      quality: exampleQuality,
      isComparable: true,
      pose: { yaw: -2.1, pitch: 1.4, roll: 0.3 },
      landmarks2D: Array.from({ length: pointCount }, (_, i) => ({
        x: 240 + 20 * (i % 7),
        y: 180 + 20 * Math.floor(i / 7),
      })),
    },
  ],
  unprocessedFaceCount: 0,
}

/** [Note: Ours] */
export const getQuality = endpoint({
  method: 'POST',
  path: '/v1/face-verification/get-quality',
  auth: 'key-or-bearer',
  scope: 'analyse',
  console: builders,
  ...analysis,
  body: v.object({ image, maxFaceCount }),
  result: v.object({
    faces: v.pipe(
      v.array(
        v.object({
          face,
          quality: v.pipe(faceQuality, v.description('The quality of the picture for this face.')),
          isComparable,
          pose: v.pipe(
            v.object({
              yaw: number("Positive if turned to the person's left."),
              pitch: number('Raised.'),
              roll: number("Positive if tilted to the person's left shoulder."),
            }),
            v.description('Rotation away from looking straight into the camera, in degrees.'),
          ),
          landmarks2D: v.pipe(landmarks2D, v.description('The 49 points of emotion-attention/detect.')),
        }),
      ),
      v.description('The dominant faces, most certain first; empty without a face.'),
    ),
    unprocessedFaceCount,
  }),
  errors: [400, 401, 403],
  summary: 'Measures the picture quality of each face.',
  description:
    'Nothing is stored. The unified score predicts whether the face will be recognised; the components show what to improve.',
  example: { body: { image: { bytes: tinyJpeg }, maxFaceCount: 1 }, answer },
})

export const faceQualityEndpoints = {
  getQuality,
}
