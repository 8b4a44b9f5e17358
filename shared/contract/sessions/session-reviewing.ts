import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { reviewers } from '../../operator-roles.ts'
import { jsonObject, queryTime, text, timestamp } from '../elements.ts'
import { pageLimit } from '../paging.ts'
import { change } from '../policies.ts'
import { verificationResults } from './session.ts'
import { listedSession, verificationSessionId } from './session-list.ts'
import { usageInDays } from './session-usage.ts'

/** How many sessions one call may assign. */
export const mostAssigned = 100

const reviewerMaximum = 200

function count(meaning: string) {
  return v.pipe(v.number(), v.integer(), v.description(meaning))
}

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
          passed: count('Decisions to pass.'),
          failed: count('Decisions to fail.'),
          secondOpinions: count('Decisions of this reviewer about which someone else gave an opinion.'),
          agreed: count('Those with which the opinion agreed.'),
        }),
      ),
      v.description('Reviewers with at least one decision or opinion about one, most decisions first.'),
    ),
    agreement: v.pipe(
      v.object({
        secondOpinions: count('Second opinions that were given.'),
        agreed: count('Those that agreed with the decision.'),
        passedThenFailed: count('Decisions to pass that the second reviewer would have failed.'),
        failedThenPassed: count('Decisions to fail that the second reviewer would have passed.'),
      }),
      v.description('How often two reviewers agreed, over all reviewers.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Counts decisions by reviewer.',
  description: `A decision is counted on the UTC day on which it was made, even if it is replaced later; one that was undone is not. A second opinion is counted on the day on which it was given. Counts are kept ${usageInDays} days.`,
  example: { query: { from: '2027-01-01T00:00:00Z', to: '2027-01-08T00:00:00Z' } },
  textVariant: true,
})

export const getSecondOpinions = endpoint({
  method: 'GET',
  path: '/v1/verification/get-second-opinions',
  auth: 'key-or-bearer',
  scope: 'review',
  console: reviewers,
  result: v.object({
    sessions: v.pipe(
      v.array(listedSession),
      v.description(
        `Up to ${pageLimit.maximum} sessions, in random order. Their \`review\` is null, so that the first decision does not show.`,
      ),
    ),
  }),
  errors: [401, 403],
  summary: 'Lists reviewed sessions that wait for a second opinion by this reviewer.',
  description:
    'Of the reviewed sessions, the share `secondOpinionPercent` of the account is drawn at random. Sessions that the caller decided are left out. A session waits until the opinion is given or its stored pictures expire, whichever comes first.',
  example: {},
  textVariant: true,
})

export const giveSecondOpinion = endpoint({
  method: 'POST',
  path: '/v1/verification/give-second-opinion',
  auth: 'key-or-bearer',
  scope: 'review',
  console: reviewers,
  ...change,
  body: jsonObject({
    verificationSessionId,
    decision: v.pipe(v.picklist(verificationResults), v.description('What this reviewer would decide.')),
  }),
  result: v.object({ givenAt: timestamp('When it was given.') }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Records what a second reviewer would have decided.',
  description:
    'Only get-review-counts changes: the verdict, the review and the events of the session do not. If the session does not wait for an opinion, or the caller decided it, the call is a 409 with the code `second_opinion_not_wanted`. Stored pictures are deleted 10 seconds later, as after a review.',
  example: {
    body: { verificationSessionId: '6d1f0a522f0c4a5e9d590c1a3b7e8f10', decision: 'Pass' },
  },
  textVariant: true,
})

export const sessionReviewingEndpoints = {
  assignReview,
  getReviewCounts,
  getSecondOpinions,
  giveSecondOpinion,
}
