import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../console/operator-roles.ts'
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
    isLive: v.pipe(v.boolean(), v.description('Whether the dominant face is a live one.')),
    confidence: v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(1),
      v.description('How certain isLive is, 0.0 to 1.0; 0 without a face.'),
    ),
    spoofType: v.pipe(
      v.nullable(v.picklist(spoofTypes)),
      v.description('What a face that is not live most likely is; null for a live face and without a face.'),
    ),
    face: v.pipe(v.nullable(face), v.description('The dominant face, or null without one.')),
  }),
  errors: [400, 401, 403, 500],
  summary: 'Decides whether a picture shows a live face or a spoof.',
  description:
    'Judges one still picture, so it is a hint and no proof: a session with a challenge is far harder to deceive. A spoof is called `video` where its surroundings are as dark as those of a lit screen, else `photo`. Nothing here finds masks or deepfakes, so neither is ever answered.',
  example: { body: { image: { bytes: tinyJpeg } } },
})

export const livenessEndpoints = {
  detectLiveness,
}
