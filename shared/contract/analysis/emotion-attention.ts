import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { tinyJpeg } from '../elements.ts'
import { analysis } from '../policies.ts'
import { image } from './image.ts'

/** [Note: Ours] Null if the signal is not reliable. The endpoint's description explains the rules. */
const signal = (meaning: string, evidence = '') =>
  v.pipe(
    v.nullable(v.boolean()),
    v.description(`${meaning} Null if this is not reliable.${evidence && ` ${evidence}`}`),
  )

const experimental = 'Experimental: there are no labelled pictures to measure it with.'
const measured = (yes: number, no: number) =>
  `Measured on unposed pictures (FER2013): of 100 answers, true was right in ${yes} and false in ${no}.`
const alwaysNull = 'Always null: no network here detects it reliably.'

const number = (meaning: string) => v.pipe(v.number(), v.description(meaning))

/** The order of the 49 points. Right and left are from the person's point of view. */
const pointOrder = [
  '0-4 right eyebrow, from its outer to its inner end',
  '5-9 left eyebrow, from its inner to its outer end',
  '10-13 bridge of the nose, downwards',
  '14-18 lower edge of the nose, from right to left',
  '19-24 right eye, from its outer corner over the upper lid to the inner corner and back along the lower lid',
  '25-30 left eye, from its inner corner over the upper lid to the outer corner and back along the lower lid',
  '31-42 outer lips, from the right corner over the upper lip to the left corner and back along the lower lip',
  '43-45 inner edge of the upper lip, from right to left',
  '46-48 inner edge of the lower lip, from left to right',
] as const

export const pointCount = 49

/** A point in the picture. */
export const point2D = v.object({
  x: number('Pixels from the left edge.'),
  y: number('Pixels from the upper edge.'),
})

/** The 49 points in the upright picture. */
export const landmarks2D = v.pipe(v.array(point2D), v.length(pointCount))

/** A point in head coordinates. */
export const point3D = v.object({
  x: number('To the right of the picture when the head is straight.'),
  y: number('Downwards when the head is straight.'),
  z: number('Away from the camera when the head is straight.'),
})

/** The same 49 points in head coordinates. */
export const landmarks3D = v.pipe(v.array(point3D), v.length(pointCount))

export const detectEmotionAttention = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/emotion-attention/detect',
  auth: 'key-or-bearer',
  scope: 'analyse',
  console: builders,
  ...analysis,
  body: v.object({ image }),
  result: v.object({
    emotionsAttention: v.pipe(
      v.object({
        hasFace: signal('True if the picture shows a face.'),
        presence: signal('True if a person is present.'),
        eyesOnScreen: signal(
          'True if the open eyes look towards the camera, judged by head pose and eyelids; the gaze itself is not measured.',
          experimental,
        ),
        attention: signal(
          'True if the person is attentive: eyes on the screen and a good view of the face.',
          experimental,
        ),
        confusion: signal('True if the person looks confused.', alwaysNull),
        contempt: signal('True if the person looks contemptuous.', alwaysNull),
        disgust: signal(
          'True if the person looks disgusted.',
          'True is experimental: right in 46 of 46 posed pictures and in 4 of 6 others; false was right in 99 of 100.',
        ),
        happy: signal('True if the person looks happy.', measured(91, 95)),
        empathy: signal('True if the person looks moved by what they see.', alwaysNull),
        surprise: signal('True if the person looks surprised.', measured(94, 98)),
      }),
      v.description('Signals read from the face. Null means not reliable.'),
    ),
    landmarks: v.pipe(
      v.object({
        scale: number('Pixels of the picture per unit of landmarks3D; 0 without a face.'),
        translate: v.pipe(
          point2D,
          v.description('Position of the centre of the head in the picture; 0, 0 without a face.'),
        ),
        roll: number("Degrees; positive: the head is tilted to the person's own left. 0 without a face."),
        yaw: number("Degrees; positive: the head is turned to the person's own left. 0 without a face."),
        pitch: number('Degrees; positive: the head looks up. 0 without a face.'),
        landmarks2D: v.pipe(
          v.nullable(landmarks2D),
          v.description('49 points in the upright picture; null without a face.'),
        ),
        landmarks3D: v.pipe(
          v.nullable(landmarks3D),
          v.description(
            'The same 49 points in head coordinates, relative to its centre, in units of about a centimetre; null without a face.',
          ),
        ),
        isGood: v.pipe(
          v.boolean(),
          v.description(
            'True if the points can be trusted: a certain, upright face that is large enough and not turned far.',
          ),
        ),
      }),
      v.description('Position of the head and its points.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Detects expression, attention and landmarks of the dominant face.',
  description: [
    'Experimental: describes what a face looks like in one picture, not what the person feels.',
    'presence is true with a face. eyesOnScreen is true up to 15 degrees of yaw and pitch with an eye open, false from 25 degrees or with closed eyes, and null in between. attention is the same, but true only if isGood is.',
    'happy, surprise and disgust are null between two thresholds and if isGood is false.',
    'confusion, contempt and empathy are always null: no network here detects them reliably. eyesOnScreen and attention are experimental: no data set labels them.',
    `Order of the 49 points, with right and left from the person's view: ${pointOrder.join('; ')}.`,
    'For a straight head, a point of landmarks2D is translate + scale × (x, y) of landmarks3D.',
  ].join(' '),
  example: { body: { image: { bytes: tinyJpeg } } },
})

export const emotionAttentionEndpoints = {
  detectEmotionAttention,
}
