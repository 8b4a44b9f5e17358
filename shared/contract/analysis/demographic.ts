import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { tinyJpeg } from '../elements.ts'
import { analysis } from '../policies.ts'
import { face, image, maxFaceCount, unprocessedFaceCount } from './image.ts'

const body = v.object({ image, maxFaceCount })
const example = { body: { image: { bytes: tinyJpeg }, maxFaceCount: 1 } }

/** An age estimate. The API allows null for a face without an estimate. */
export const ageEstimate = v.pipe(
  v.object({
    prediction: v.pipe(v.nullable(v.number()), v.description('Estimated age in years.')),
    uncertainty: v.pipe(
      v.nullable(v.pipe(v.number(), v.minValue(0))),
      v.description(
        'Expected error divided by 9 years, measured for estimates of this age and certainty. Reject the estimate if it is above 1.0.',
      ),
    ),
  }),
  v.description('An age estimate.'),
)

export const genders = ['Male', 'Female'] as const

/** [Note: Ours] get-gender reports this too, because it would otherwise seem just as certain for children as for adults. */
export const genderConfidence = v.pipe(
  v.number(),
  v.minValue(0.5),
  v.maxValue(1),
  v.description(
    'Measured share of correct answers at this certainty, 0.5 to 1; lower for faces that look under 18.',
  ),
)

export const getAge = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/demographic-estimation/get-age',
  auth: 'key-or-bearer',
  scope: 'analyse',
  console: builders,
  ...analysis,
  body,
  result: v.object({
    faces: v.pipe(
      v.nullable(v.array(v.object({ face, age: ageEstimate }))),
      v.description('The dominant faces with their ages, most dominant first; empty without a face.'),
    ),
    unprocessedFaceCount,
  }),
  errors: [400, 401, 403],
  summary: 'Estimates the age of the faces in a picture.',
  description:
    'The estimate is the mean over several crops of the face. Reject it if the uncertainty is above 1.0. Mean error for people who were not used for calibration: 5.9 years for adults and 2.2 for people under 18 (UTKFace), 3.8 on FG-NET. The network was reportedly trained on both sets, so expect larger errors elsewhere: 7 to 9 years for adults. To decide whether a person is 18, use a margin of 10 years: without a margin 32 % of those aged 15 to 17 passed, with 7 years 4 %, with 10 years 2 %. For a threshold of 25 even 10 years were not shown to suffice.',
  example,
})

export const getGender = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/demographic-estimation/get-gender',
  auth: 'key-or-bearer',
  scope: 'analyse',
  console: builders,
  ...analysis,
  body,
  result: v.object({
    faces: v.pipe(
      v.nullable(
        v.array(
          v.object({
            face,
            gender: v.pipe(v.picklist(genders), v.description('The estimated gender.')),
            genderConfidence,
          }),
        ),
      ),
      v.description('The dominant faces with their genders, most dominant first; empty without a face.'),
    ),
    unprocessedFaceCount,
  }),
  errors: [400, 401, 403],
  summary: 'Estimates the gender of the faces in a picture.',
  description:
    'Estimates how a face looks, not how a person identifies. Correct for 98 % of adults (UTKFace) and 96 % of well-known people (CelebA), 85 % of people under 18 and 67 % under 3. For children the estimate is a guess, which `genderConfidence` reflects.',
  example,
})

export const demographicEndpoints = {
  getAge,
  getGender,
}
