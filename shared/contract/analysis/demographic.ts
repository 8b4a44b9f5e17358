import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../console/operator-roles.ts'
import { tinyJpeg } from '../elements.ts'
import { analysis } from '../policies.ts'
import { face, image, maxFaceCount, unprocessedFaceCount } from './image.ts'

const body = v.object({ image, maxFaceCount })
const example = { body: { image: { bytes: tinyJpeg }, maxFaceCount: 1 } }

/** An estimate of an age; the interface allows null for what was not estimated. */
export const ageEstimate = v.pipe(
  v.object({
    prediction: v.pipe(v.nullable(v.number()), v.description('Estimated age in years.')),
    uncertainty: v.pipe(
      v.nullable(v.pipe(v.number(), v.minValue(0))),
      v.description(
        'The expected error over 9 years, as measured for estimates of that age that are as certain: above 1.0 the estimate should be rejected.',
      ),
    ),
  }),
  v.description('An estimate of an age.'),
)

export const genders = ['Male', 'Female'] as const

/** [Note: Ours] Also for get-gender, which would otherwise have to be as sure of a child as of a grown-up. */
export const genderConfidence = v.pipe(
  v.number(),
  v.minValue(0.5),
  v.maxValue(1),
  v.description(
    'How often such an answer was right when it was measured, 0.5 to 1; lower for faces that look under 18.',
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
      v.description('The dominant faces with their ages, the most dominant one first; empty without a face.'),
    ),
    unprocessedFaceCount,
  }),
  errors: [400, 401, 403],
  summary: 'Estimates the age of the faces in a picture.',
  description:
    'An estimate is the mean of several crops of the face; an uncertainty above 1.0 says to reject it. Measured on people who took no part in the calibration: off by 5.9 years on average for adults and by 2.2 under 18 (UTKFace), by 3.8 on FG-NET. Both sets are said to have taught the network, so expect more: 7 to 9 years for adults. To decide that somebody is 18 ask for a margin of 10 years: without one 32 % of those of 15 to 17 passed, with 7 years 4 %, with 10 years 2 %. For 25 not even 10 years were shown to do.',
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
            gender: v.pipe(v.picklist(genders), v.description('The gender that the face is taken for.')),
            genderConfidence,
          }),
        ),
      ),
      v.description(
        'The dominant faces with their genders, the most dominant one first; empty without a face.',
      ),
    ),
    unprocessedFaceCount,
  }),
  errors: [400, 401, 403],
  summary: 'Estimates the gender of the faces in a picture.',
  description:
    'What is estimated is how a face looks, never how a person identifies. Right for 98 % of adults (UTKFace) and 96 % of well-known people (CelebA), 85 % under 18 and 67 % under 3: for children it is a guess, and `genderConfidence` says so.',
  example,
})

export const demographicEndpoints = {
  getAge,
  getGender,
}
