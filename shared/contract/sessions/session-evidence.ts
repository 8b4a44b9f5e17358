import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { reviewers } from '../../operator-roles.ts'
import { isoMoment, jsonObject, timestamp, tinyJpeg } from '../elements.ts'
import { change } from '../policies.ts'
import { actions } from './session.ts'
import { verificationSessionId } from './session-list.ts'

/** The content of a stored picture: the straight look, or an action. */
export const evidencePictures = ['straight', ...actions] as const

const bytes = (meaning: string) => v.pipe(v.string(), v.description(`Base64 of a JPEG: ${meaning}`))
const count = (meaning: string) => v.pipe(v.number(), v.integer(), v.description(meaning))

export const getEvidence = endpoint({
  method: 'GET',
  path: '/v1/verification/get-evidence',
  auth: 'key',
  scope: 'review',
  console: reviewers,
  audit: 'recorded',
  query: v.object({ verificationSessionId }),
  result: v.object({
    pictures: v.pipe(
      v.array(
        v.object({
          name: v.pipe(v.picklist(evidencePictures), v.description('The step that it shows.')),
          try: count('The try that it belongs to, from 1.'),
          bytes: bytes('at most 640 pixels on the longer side.'),
        }),
      ),
      v.description('One picture per step, at most 8, beginning with the last try.'),
    ),
    film: v.pipe(
      v.array(
        v.object({
          bytes: bytes('at most 128 pixels on the longer side.'),
          time: count('Milliseconds since the first picture of the film.'),
        }),
      ),
      v.description('The film of the last try, at most three pictures per second; may be empty.'),
    ),
    expiresAt: timestamp('When they are deleted, unless a review deletes them earlier.'),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Returns the pictures of a session that are stored for reviewers.',
  description:
    'Returns the evidence of `evidenceConfig` until `expiresAt`, 10 seconds after a review (or its second opinion, if one is asked for) or the erasure of the person, whichever comes first. Every request is recorded in the audit log, even if there is no evidence. 404 with the code `evidence_not_kept` if the session is open or has no evidence. Requires a key with the scope `review`, or the console; bearers have no access.',
  example: {
    query: { verificationSessionId: '6d1f0a522f0c4a5e9d590c1a3b7e8f10' },
    answer: {
      pictures: [
        { name: 'straight', try: 1, bytes: tinyJpeg },
        { name: 'turnLeft', try: 1, bytes: tinyJpeg },
      ],
      film: [
        { bytes: tinyJpeg, time: 0 },
        { bytes: tinyJpeg, time: 340 },
      ],
      expiresAt: '2026-11-27T09:30:00.000Z',
    },
  },
  textVariant: true,
})

export const undoReview = endpoint({
  method: 'POST',
  path: '/v1/verification/undo-review',
  auth: 'key-or-bearer',
  scope: 'review',
  console: reviewers,
  ...change,
  body: jsonObject({
    verificationSessionId,
    reviewedAt: isoMoment('The `reviewedAt` of the review to withdraw.'),
  }),
  result: v.object({}),
  errors: [400, 401, 403, 404, 409],
  summary: 'Withdraws a review within 10 seconds.',
  description:
    'Restores the previous review, if there was one, and the stored pictures. More than 10 seconds after the review it is a 409 with the code `review_final`; if the session has a different review by then, or none, a 409 with `already_reviewed`. Endpoints learn about a review in the console only after it can no longer be withdrawn. A review by a key is reported at once, and its withdrawal as another `VerificationReviewed`. Recorded in the audit log.',
  example: {
    body: {
      verificationSessionId: '6d1f0a522f0c4a5e9d590c1a3b7e8f10',
      reviewedAt: '2026-11-24T09:30:00.000Z',
    },
  },
  textVariant: true,
})

/** The state of a session's pictures. */
export const evidenceStates = ['gathered', 'kept', 'gone'] as const

/** A summary of a session's evidence. */
export const evidenceOfSession = v.pipe(
  v.nullable(
    v.object({
      state: v.pipe(
        v.picklist(evidenceStates),
        v.description(
          '`gathered`: the session is open; `kept`: get-evidence returns them; `gone`: they were not needed, or were deleted after a review or on expiry.',
        ),
      ),
      expiresAt: v.pipe(
        v.nullable(v.string()),
        v.description('When the stored pictures are deleted; null in other states.'),
        v.metadata({ format: 'date-time' }),
      ),
      isIncomplete: v.pipe(
        v.boolean(),
        v.description(
          'True if some pictures could not be stored, for example because the disk was full. This does not affect the verdict.',
        ),
      ),
    }),
  ),
  v.description('Pictures for reviewers, if `evidenceConfig` keeps any; otherwise null.'),
)

export type EvidenceOfSession = v.InferOutput<typeof evidenceOfSession>

export const sessionEvidenceEndpoints = { getEvidence, undoReview }
