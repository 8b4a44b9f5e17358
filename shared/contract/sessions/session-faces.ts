import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { reviewers } from '../../operator-roles.ts'
import { flag, jsonObject, nullableText, queryInteger, text, timestamp } from '../elements.ts'
import { pageLimit } from '../paging.ts'
import { change } from '../policies.ts'
import { noteMaximum, verificationSessionId } from './session-list.ts'

/** The longest time for which a face may be denied. */
const mostDeniedDays = 3650

const defaultPage = 20

export const getSimilarSessions = endpoint({
  method: 'GET',
  path: '/v1/verification/get-similar-sessions',
  auth: 'key-or-bearer',
  scope: 'review',
  console: reviewers,
  audit: 'recorded',
  query: v.object({
    verificationSessionId,
    limit: v.optional(
      v.pipe(
        queryInteger(pageLimit.minimum, pageLimit.maximum),
        v.description('Maximum number of sessions to return.'),
      ),
      defaultPage,
    ),
    cursor: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,15}-[\w-]{1,64}$/, 'Must be a cursor returned by this list.'),
        v.description('The `cursor` of the previous page.'),
      ),
    ),
  }),
  result: v.object({
    hasFace: flag('False if no face of this session is kept.'),
    sessions: v.pipe(
      v.array(
        v.object({
          verificationSessionId: text('The session; see get-sessions.'),
          createdAt: timestamp('When it was opened.'),
          similarity: v.pipe(v.number(), v.integer(), v.description('The score, 80 to 100.')),
        }),
      ),
      v.description('Sessions with the same face, newest first, without this one.'),
    ),
    cursor: nullableText('Cursor of the next page, or null on the last page.'),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Lists the sessions of the last 7 days that show the same face.',
  description:
    'Compares the face of this session with those of all sessions of the account, at a score of at least 80. A face is kept sealed for 7 days, and erased with the session and the person; captures of kiosks keep none. Bearers never have the scope `review`.',
  example: { query: { verificationSessionId: '6d1f0a522f0c4a5e9d590c1a3b7e8f10' } },
  textVariant: true,
})

export const denyFace = endpoint({
  method: 'POST',
  path: '/v1/verification/deny-face',
  auth: 'key-or-bearer',
  scope: 'review',
  console: reviewers,
  ...change,
  body: jsonObject({
    verificationSessionId,
    collectionId: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.description('One of the `denyCollectionIds` of its verification.'),
    ),
    note: v.optional(
      v.pipe(
        v.nullable(
          v.pipe(v.string(), v.maxLength(noteMaximum, `Must have at most ${noteMaximum} characters.`)),
        ),
        v.description('The reason, for people. Stored sealed and erased with the person.'),
      ),
    ),
    expiresInDays: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(mostDeniedDays),
      v.description(`Days after which the face is removed again, 1 to ${mostDeniedDays}.`),
    ),
  }),
  result: v.object({
    faceId: text('The id of the face in the collection.'),
    expiresAt: timestamp('When it is removed.'),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Adds the face of a session to a collection of faces that must not pass.',
  description:
    'The face carries the external id of the session, so that it is erased with the person. 404 if no face of the session is kept. Recorded in the audit log. Bearers never have the scope `review`.',
  example: {
    body: {
      verificationSessionId: '6d1f0a522f0c4a5e9d590c1a3b7e8f10',
      collectionId: 'banned',
      note: 'Used a stolen account twice.',
      expiresInDays: 365,
    },
  },
  textVariant: true,
})

export const sessionFaceEndpoints = { getSimilarSessions, denyFace }
