import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { reviewers } from '../console/operator-roles.ts'
import { isoMoment, jsonObject, timestamp, tinyJpeg } from '../elements.ts'
import { change } from '../policies.ts'
import { actions } from './session.ts'
import { verificationSessionId } from './session-list.ts'

/** What a kept picture shows: the person who looks straight, or an action. */
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
          name: v.pipe(v.picklist(evidencePictures), v.description('What it shows.')),
          try: count('Which try it was of, from 1.'),
          bytes: bytes('at most 640 pixels on the longer side.'),
        }),
      ),
      v.description('One of each step, at most 8: those of the last try first.'),
    ),
    film: v.pipe(
      v.array(
        v.object({
          bytes: bytes('at most 128 pixels on the longer side.'),
          time: count('Milliseconds since the first picture of the film.'),
        }),
      ),
      v.description('The film of the last try, three pictures a second at most; empty where there is none.'),
    ),
    expiresAt: timestamp('When they go; 10 seconds after a review at the latest.'),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Returns the pictures that were kept of a session for who reviews it.',
  description:
    'What `evidenceConfig` had kept, until `expiresAt`, 10 seconds after a review, the erasure of the person or the end of the hours, whichever is first. Every look is in the audit log, also one that finds nothing. Where the session is open, or nothing was kept or is kept any more: 404 with the code `evidence_not_kept`. Keys with the scope `review`, and the console; bearers never.',
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
    reviewedAt: isoMoment('The `reviewedAt` of the review that is taken back.'),
  }),
  result: v.object({}),
  errors: [400, 401, 403, 404, 409],
  summary: 'Takes a review back, within 10 seconds.',
  description:
    'What stood before stands again: another review, or none; the pictures that were kept are kept as before. Later than 10 seconds after the review it is a 409 with the code `review_final`; where the session has another review by now, or none, 409 with `already_reviewed`. A review in the console is reported to endpoints only once it can be taken back no more; one by a key at once, and then its undoing is reported as another `VerificationReviewed`. In the audit log.',
  example: {
    body: {
      verificationSessionId: '6d1f0a522f0c4a5e9d590c1a3b7e8f10',
      reviewedAt: '2026-11-24T09:30:00.000Z',
    },
  },
  textVariant: true,
})

/** What became of the pictures of a session. */
export const evidenceStates = ['gathered', 'kept', 'gone'] as const

/** What a session says of its pictures. */
export const evidenceOfSession = v.pipe(
  v.nullable(
    v.object({
      state: v.pipe(
        v.picklist(evidenceStates),
        v.description(
          '`gathered`: the session is open; `kept`: get-evidence answers them; `gone`: they were not needed, or went with a decision or with their time.',
        ),
      ),
      expiresAt: v.pipe(
        v.nullable(v.string()),
        v.description('When they go, of those that are kept; null otherwise.'),
        v.metadata({ format: 'date-time' }),
      ),
      isIncomplete: v.pipe(
        v.boolean(),
        v.description(
          'Some could not be kept, such as where the disk was full; the verdict does not depend on it.',
        ),
      ),
    }),
  ),
  v.description(
    'The pictures for who reviews it, where `evidenceConfig` has any kept; null where none were to be.',
  ),
)

export type EvidenceOfSession = v.InferOutput<typeof evidenceOfSession>

export const sessionEvidenceEndpoints = { getEvidence, undoReview }
