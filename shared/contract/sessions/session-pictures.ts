import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { jsonObject, tinyJpeg } from '../elements.ts'
import { capturedFrame } from './session.ts'
import { trail } from './trail.ts'

/** How much a session may send before its steps end. `bytes` limits the pictures waiting to be analysed, and also a single batch. */
export const handInLimits = {
  batches: 1000,
  bytes: 4 * 1024 * 1024,
  /** Base64 is a third longer, and the film's timestamps take up some space as well. */
  bodyBytes: 6 * 1024 * 1024,
} as const

/** [Note: Ours] */
export const submitPictures = endpoint({
  method: 'POST',
  path: '/v1/verification/submit-pictures',
  auth: 'session',
  audit: 'unrecorded',
  body: jsonObject({
    step: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description('The open step, or the last one once no action is left.'),
    ),
    batch: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(handInLimits.batches),
      v.description(
        'Counts up from 1 within a step. A repeated one changes nothing, and is answered the same.',
      ),
    ),
    frames: v.optional(
      v.pipe(v.array(capturedFrame), v.description('Pictures of the step; absent if there are none yet.')),
      [],
    ),
    trail,
  }),
  result: v.object({}),
  errors: [400, 401, 404, 409, 410, 413],
  summary: 'Hands in pictures of a step while it is acted.',
  description:
    'The answer is always the same, and comes before the pictures are analysed. They count from their arrival against the limits of the session, and can neither be withdrawn nor replaced; `submit-step` and `submit-session` judge them together with their own. Pictures of any other step are a 409 `step_not_open`. A batch that is over 4 MB is a 413, and a 503 with `Retry-After` asks to send it again later. If a link is opened again, or another device takes the session over, what was handed in for the open step is dropped.',
  example: {
    body: { step: 0, batch: 1, frames: [{ bytes: tinyJpeg, time: 1200 }] },
    answer: {},
  },
  bodyLimitInBytes: handInLimits.bodyBytes,
  textVariant: true,
  takesMultipart: true,
  answersWith: 202,
})

export const sessionPictureEndpoints = { submitPictures }
