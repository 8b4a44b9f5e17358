import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../console/operator-roles.ts'
import { tinyJpeg } from '../elements.ts'
import { analysis } from '../policies.ts'
import { image } from './image.ts'

/** [Note: Ours] Null wherever the signal is not reliable; the rules stand in the endpoint's description. */
const signal = (meaning: string, evidence = '') =>
  v.pipe(
    v.nullable(v.boolean()),
    v.description(`${meaning} Null where that is not reliable.${evidence && ` ${evidence}`}`),
  )

const experimental = 'Experimental: no labelled pictures to measure it on.'
const measured = (yes: number, no: number) =>
  `Measured on pictures in the wild (FER2013): of 100, true was right in ${yes} and false in ${no}.`
const alwaysNull = 'Always null: nothing here reads it reliably.'

const number = (meaning: string) => v.pipe(v.number(), v.description(meaning))

/** The 49 points in their order, the person's own right and left: how many, and what they outline. */
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

/** A place in a picture. */
export const point2D = v.object({
  x: number('Pixels from the left edge.'),
  y: number('Pixels from the upper edge.'),
})

/** The 49 points in the upright picture. */
export const landmarks2D = v.pipe(v.array(point2D), v.length(pointCount))

/** A place in the frame of the head. */
export const point3D = v.object({
  x: number('To the right of the picture when the head is straight.'),
  y: number('Downwards when the head is straight.'),
  z: number('Away from the camera when the head is straight.'),
})

/** The same 49 points in the frame of the head. */
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
        hasFace: signal('Whether there is a face.'),
        presence: signal('Whether somebody is there.'),
        eyesOnScreen: signal(
          'Whether the open eyes look towards the camera, by the pose of the head and the lids; the gaze itself is not read.',
          experimental,
        ),
        attention: signal(
          'Whether the person attends: eyes on the screen in a good view of the face.',
          experimental,
        ),
        confusion: signal('Whether the person looks confused.', alwaysNull),
        contempt: signal('Whether the person looks contemptuous.', alwaysNull),
        disgust: signal(
          'Whether the person looks disgusted.',
          'True is experimental: right in 46 of 46 posed pictures and in 4 of 6 others; false was right in 99 of 100.',
        ),
        happy: signal('Whether the person looks happy.', measured(91, 95)),
        empathy: signal('Whether the person looks moved by what they see.', alwaysNull),
        surprise: signal('Whether the person looks surprised.', measured(94, 98)),
      }),
      v.description('What the face shows; null says that it is not reliable.'),
    ),
    landmarks: v.pipe(
      v.object({
        scale: number('Pixels of the picture for one unit of landmarks3D; 0 without a face.'),
        translate: v.pipe(
          point2D,
          v.description('Where the middle of the head is in the picture; 0, 0 without a face.'),
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
            'The same 49 points in the frame of the head, about its middle, in units of about a centimetre; null without a face.',
          ),
        ),
        isGood: v.pipe(
          v.boolean(),
          v.description(
            'Whether the points can be trusted: a certain, large enough, upright face that is not turned far.',
          ),
        ),
      }),
      v.description('Where the head and its points are.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Reads expression, attention and landmarks of the dominant face.',
  description: [
    'Experimental: it tells what a face looks like in one picture, never what a person feels.',
    'presence is true with a face. eyesOnScreen is true up to 15 degrees of yaw and of pitch with an eye open, false from 25 degrees on or with closed eyes, null in between; attention is the same, but true only where isGood is.',
    'happy, surprise and disgust are null between two thresholds and where isGood is false.',
    'confusion, contempt and empathy are always null: nothing here reads them reliably. eyesOnScreen and attention are experimental: no set of pictures labels them.',
    `The 49 points, right and left being the person's own: ${pointOrder.join('; ')}.`,
    'For a straight head a point of landmarks2D is translate + scale × (x, y) of landmarks3D.',
  ].join(' '),
  example: { body: { image: { bytes: tinyJpeg } } },
})

export const emotionAttentionEndpoints = {
  detectEmotionAttention,
}
