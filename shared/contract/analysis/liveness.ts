import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { tinyJpeg } from '../elements.ts'
import { analysis } from '../policies.ts'
import { face, image } from './image.ts'

export const spoofTypes = ['photo', 'video', 'mask', 'deepfake'] as const

export const detectLiveness = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/liveness-detection/detect',
  auth: 'key-or-bearer',
  scope: 'analyse',
  console: builders,
  ...analysis,
  body: v.object({ image }),
  result: v.object({
    isLive: v.pipe(v.boolean(), v.description('True if the dominant face is live.')),
    confidence: v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(1),
      v.description('Certainty of isLive, 0.0 to 1.0; 0 without a face.'),
    ),
    spoofType: v.pipe(
      v.nullable(v.picklist(spoofTypes)),
      v.description('The most likely kind of spoof; null for a live face and without a face.'),
    ),
    face: v.pipe(v.nullable(face), v.description('The dominant face, or null without one.')),
  }),
  errors: [400, 401, 403, 500],
  summary: 'Decides whether a picture shows a live face or a spoof.',
  description:
    'Judges a single picture, so the answer is a hint and not a proof: a session with a challenge is far harder to deceive. A spoof is classified as `video` if its surroundings are as dark as those of a lit screen, otherwise as `photo`. Masks and deepfakes are not detected, so these values are never returned.',
  example: { body: { image: { bytes: tinyJpeg } } },
})

export const livenessEndpoints = {
  detectLiveness,
}
