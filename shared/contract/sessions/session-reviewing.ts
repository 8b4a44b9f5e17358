import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { reviewers } from '../../operator-roles.ts'
import { jsonObject, queryTime, text } from '../elements.ts'
import { change } from '../policies.ts'
import { verificationSessionId } from './session-list.ts'
import { usageInDays } from './session-usage.ts'

/** How many sessions one call may assign. */
export const mostAssigned = 100

const reviewerMaximum = 200

export const assignReview = endpoint({
  method: 'POST',
  path: '/v1/verification/assign-review',
  auth: 'key-or-bearer',
  scope: 'review',
  console: reviewers,
  ...change,
  body: jsonObject({
    verificationSessionIds: v.pipe(
      v.array(verificationSessionId),
      v.minLength(1, 'Must name at least one session.'),
      v.maxLength(mostAssigned, `Must name at most ${mostAssigned} sessions.`),
      v.description('The sessions.'),
    ),
    reviewer: v.pipe(
      v.nullable(
        v.pipe(
          v.string(),
          v.minLength(1, 'Must not be empty.'),
          v.maxLength(reviewerMaximum, `Must have at most ${reviewerMaximum} characters.`),
        ),
      ),
      v.description(
        'Who should review them: the name of a person in the console, or any name of your own; null for no one.',
      ),
    ),
  }),
  result: v.object({
    count: v.pipe(v.number(), v.integer(), v.description('Number of sessions that were assigned.')),
  }),
  errors: [400, 401, 403],
  summary: 'Assigns sessions to a reviewer.',
  description:
    'An assignment only sorts the work: anyone with the scope `review` may still decide. Unknown and open sessions are left out. Bearers never have the scope `review`.',
  example: {
    body: { verificationSessionIds: ['6d1f0a522f0c4a5e9d590c1a3b7e8f10'], reviewer: 'Kim' },
  },
  textVariant: true,
})

export const getReviewCounts = endpoint({
  method: 'GET',
  path: '/v1/verification/get-review-counts',
  auth: 'key-or-bearer',
  scope: 'review',
  console: reviewers,
  query: v.object({
    from: queryTime('A time in the first day, in UTC.'),
    to: queryTime('The last day begins before this time.'),
  }),
  result: v.object({
    reviewers: v.pipe(
      v.array(
        v.object({
          by: text('The name of the reviewer in the console, or the id of a key.'),
          passed: v.pipe(v.number(), v.integer(), v.description('Decisions to pass.')),
          failed: v.pipe(v.number(), v.integer(), v.description('Decisions to fail.')),
        }),
      ),
      v.description('Reviewers with at least one decision, most decisions first.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Counts decisions by reviewer.',
  description: `A decision is counted on the UTC day on which it was made, even if it is replaced later; one that was undone is not. Counts are kept ${usageInDays} days.`,
  example: { query: { from: '2027-01-01T00:00:00Z', to: '2027-01-08T00:00:00Z' } },
  textVariant: true,
})

export const sessionReviewingEndpoints = { assignReview, getReviewCounts }
