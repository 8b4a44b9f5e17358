import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../console/operator-roles.ts'
import { tinyJpeg } from '../elements.ts'
import { analysis } from '../policies.ts'
import { landmarks2D, pointCount } from './emotion-attention.ts'
import { face, image, isComparable, maxFaceCount, unprocessedFaceCount } from './image.ts'
import { type QualityComponent, qualityComponents } from './quality-components.ts'

const score = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))
const number = (meaning: string) => v.pipe(v.number(), v.description(meaning))

/** What each component falls with; the formulas stand with the functions of models/rules/quality/. */
const meanings: Readonly<Record<QualityComponent, string>> = {
  backgroundUniformity: 'Falls where the surroundings of the head are full of edges.',
  illuminationUniformity: 'Falls where one half of the face is lit otherwise than the other.',
  luminanceMean: 'Falls where the face is dark or glaring as a whole.',
  luminanceVariance: 'Falls where the light on the face is flat or harsh.',
  underExposurePrevention: 'Falls with the share of nearly black pixels.',
  overExposurePrevention: 'Falls with the share of nearly white pixels.',
  dynamicRange: 'Falls with the number of grey levels that the face uses.',
  sharpness: 'Falls with blur.',
  compressionArtifacts: 'Falls with the blocks that coarse JPEG compression leaves.',
  naturalColour: 'Falls where skin has a colour that it has in no natural light; also for grey pictures.',
  singleFacePresent: 'Falls with the size of the largest other face.',
  eyesOpen: 'Falls where an eye is closed.',
  mouthClosed: 'Falls where the mouth is open.',
  eyesVisible: 'Always null: not measured.',
  mouthOcclusionPrevention: 'Falls where a mask, a scarf or a hand hides the mouth.',
  faceOcclusionPrevention: 'Falls where something hides a part of the face.',
  interEyeDistance: 'Falls with the pixels between the eyes; 50 at 70 pixels.',
  headSize: 'Falls where the head is smaller or larger than in the picture of a passport.',
  leftwardCropOfTheFaceImage: 'Falls where the left edge of the picture is close to the face.',
  rightwardCropOfTheFaceImage: 'Falls where the right edge of the picture is close to the face.',
  marginAboveOfTheFaceImage: 'Falls where the upper edge of the picture is close to the face.',
  marginBelowOfTheFaceImage: 'Falls where the lower edge of the picture is close to the face.',
  headPoseYaw: 'Falls with the turn of the head.',
  headPosePitch: 'Falls where the head is raised or lowered.',
  headPoseRoll: 'Falls with the tilt of the head.',
  expressionNeutrality: 'Falls where the face shows an expression.',
  noHeadCoverings: 'Always null: not measured.',
}

const measured = (name: QualityComponent) => v.pipe(v.nullable(score), v.description(meanings[name]))

/** Each component of the quality of a face. */
export const qualityOfComponents = v.object(
  Object.fromEntries(qualityComponents.map((name) => [name, measured(name)])) as Record<
    QualityComponent,
    ReturnType<typeof measured>
  >,
)

/** The quality of one face, as get-quality and search-candidates answer it. */
export const faceQuality = v.object({
  unifiedScore: v.pipe(
    score,
    v.description(
      'How well the face can be recognised. One press photograph in eight is below 50, one in two below 80.',
    ),
  ),
  components: v.pipe(
    qualityOfComponents,
    v.description(
      'What helps or hurts, named as ISO/IEC 29794-5:2025 names it, with no claim of conformance.',
    ),
  ),
})

const notMeasured: readonly QualityComponent[] = ['eyesVisible', 'noHeadCoverings']

/** What a good picture may be answered with. */
/** A face as examples of answers have it. */
export const exampleFace = { confidence: 0.98, boundingBox: { x: 218, y: 115, width: 204, height: 255 } }

/** The quality of one, for the same. */
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
          quality: v.pipe(faceQuality, v.description('How good the picture of this face is.')),
          isComparable,
          pose: v.pipe(
            v.object({
              yaw: number('Turned to the left, as the person sees it.'),
              pitch: number('Raised.'),
              roll: number('Tilted to the left shoulder, as the person sees it.'),
            }),
            v.description('Degrees from looking straight into the camera.'),
          ),
          landmarks2D: v.pipe(landmarks2D, v.description('The 49 points of emotion-attention/detect.')),
        }),
      ),
      v.description('The dominant faces, the most certain one first; empty without a face.'),
    ),
    unprocessedFaceCount,
  }),
  errors: [400, 401, 403],
  summary: 'Says how good the picture of each face is.',
  description:
    'Nothing is stored. The unified score predicts whether the face will be recognised; the components say what to change.',
  example: { body: { image: { bytes: tinyJpeg }, maxFaceCount: 1 }, answer },
})

export const faceQualityEndpoints = {
  getQuality,
}
