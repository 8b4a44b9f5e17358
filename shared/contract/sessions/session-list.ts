import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { pageLimit } from '../account/audit.ts'
import { deciders, everybody, reviewers } from '../console/operator-roles.ts'
import { isoMoment, jsonObject, nullableText, queryInteger, queryTime, text, timestamp } from '../elements.ts'
import { environments } from '../environment.ts'
import { externalIdToFind } from '../identity.ts'
import { change } from '../policies.ts'
import { assurances, failedReasons, sessionStates, verificationResults } from './session.ts'
import { visitBrowsers, visitDevices } from './session-device.ts'
import { milestones, sessionOutcomes } from './session-ending.ts'
import { findings, review } from './session-result.ts'

/** How a session came to be. */
export const sessionSources = ['link', 'api', 'kiosk'] as const
export type SessionSource = (typeof sessionSources)[number]

/** What became of a session that somebody may decide about. */
export const reviewStates = ['waiting', 'reviewed'] as const
export type ReviewState = (typeof reviewStates)[number]

export const sessionOrders = ['newest', 'leastCertain'] as const
export type SessionOrder = (typeof sessionOrders)[number]

/** How many digits of an id can be looked for by its beginning. */
export const idBeginning = { minimum: 4, maximum: 12 } as const

const defaultPage = 20

function filter(meaning: string) {
  return v.optional(v.pipe(v.string(), v.description(meaning)))
}

function filterOf<const T extends readonly string[]>(words: T, meaning: string) {
  return v.optional(v.pipe(v.picklist(words), v.description(meaning)))
}

/** [Note: Ours] A cursor of ours: where the page ended, and how far the list had come at the first page. */
const cursor = v.pipe(
  v.string(),
  v.regex(/^\d{1,15}-[\w-]{43}-\d{1,15}(?:-\d{1,3})?$/, 'Must be a cursor returned by this list.'),
  v.description('The `cursor` of the page before.'),
)

export const listedSession = v.object({
  verificationSessionId: text('The session.'),
  verificationId: nullableText('The verification; null for a session that stands for itself.'),
  verificationName: nullableText('Its name now; null where there is none any more.'),
  state: v.pipe(v.picklist(sessionStates), v.description('How far the session is.')),
  verificationResult: v.pipe(
    v.nullable(v.picklist(verificationResults)),
    v.description('The verdict; null before completion.'),
  ),
  verificationFailedReasons: v.pipe(
    v.nullable(v.array(v.picklist(failedReasons))),
    v.description('Every reason for a Fail; null before completion.'),
  ),
  externalId: nullableText("The caller's key of the person."),
  correlationId: nullableText("The caller's own id of the visit."),
  source: v.pipe(
    v.picklist(sessionSources),
    v.description('How it came to be: by a link, by create-session, or by the capture of a kiosk.'),
  ),
  device: v.optional(
    v.pipe(
      v.picklist(visitDevices),
      v.description('What it was made on, as its browser says: a hint. Absent where nobody knows.'),
    ),
  ),
  browser: v.optional(
    v.pipe(
      v.picklist(visitBrowsers),
      v.description(
        'The family of its browser: a hint. All those of iOS are `safari`. Absent where nobody knows.',
      ),
    ),
  ),
  environment: v.pipe(v.picklist(environments), v.description('Whether it is a live session or a test.')),
  assurance: v.pipe(
    v.nullable(v.picklist(assurances)),
    v.description('How much evidence there is that a living person was there; null before completion.'),
  ),
  tries: v.pipe(v.number(), v.integer(), v.description('How often pictures of it were judged.')),
  findings: v.pipe(v.nullable(findings), v.description('Null before completion.')),
  createdAt: timestamp('When it was opened.'),
  completedAt: v.pipe(
    v.nullable(v.string()),
    v.description('When it was completed or had expired; null before.'),
    v.metadata({ format: 'date-time' }),
  ),
  review,
})
export type ListedSession = v.InferOutput<typeof listedSession>

export const getSessions = endpoint({
  method: 'GET',
  path: '/v1/verification/get-sessions',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: everybody,
  query: v.object({
    verificationSessionId: filter('Only this session.'),
    idBeginsWith: v.optional(
      v.pipe(
        v.string(),
        v.regex(
          new RegExp(`^[0-9a-f]{${idBeginning.minimum},${idBeginning.maximum}}$`),
          `Must be ${idBeginning.minimum} to ${idBeginning.maximum} hexadecimal digits in lower case.`,
        ),
        v.description('Only sessions whose id begins so, of those of the last 7 days.'),
      ),
    ),
    verificationId: filter('Only sessions of this verification.'),
    outcome: filterOf(
      sessionOutcomes,
      'Only sessions that ended so: passed, failed, or left, which is without a verdict on pictures.',
    ),
    state: filterOf(sessionStates, 'Only sessions in this state.'),
    verificationResult: filterOf(verificationResults, 'Only sessions with this verdict.'),
    failedReason: filterOf(failedReasons, 'Only sessions that failed for this reason, among others.'),
    externalId: v.optional(externalIdToFind('Only sessions of this person.')),
    correlationId: filter('Only sessions with this id.'),
    kioskId: filter('Only sessions of this kiosk.'),
    source: filterOf(sessionSources, 'Only sessions that came to be in this way.'),
    device: filterOf(visitDevices, 'Only visits on this kind of device, of those of the last 7 days.'),
    browser: filterOf(
      visitBrowsers,
      'Only visits with a browser of this family, of those of the last 7 days.',
    ),
    reached: filterOf(
      milestones,
      'Only visits that came so far or further, of those of the last 7 days: `consented`, `firstPicture` (the server saw one), `submitted`.',
    ),
    review: filterOf(
      reviewStates,
      'Only sessions that wait for a decision, or have one. What was declined, left, or had no camera waits for none.',
    ),
    order: v.optional(
      v.pipe(
        v.picklist(sessionOrders),
        v.description(
          'In which order: by age, or by how uncertain the verdict is: failures first, what was measured near its limit before the rest.',
        ),
      ),
      'newest',
    ),
    createdFrom: v.optional(queryTime('Only sessions that were created then or later.')),
    createdTo: v.optional(queryTime('Only sessions that were created before.')),
    limit: v.optional(
      v.pipe(
        queryInteger(pageLimit.minimum, pageLimit.maximum),
        v.description('How many sessions to answer at most.'),
      ),
      defaultPage,
    ),
    cursor: v.optional(cursor),
  }),
  result: v.object({
    sessions: v.pipe(v.array(listedSession), v.description('The sessions, in their order.')),
    cursor: nullableText('Where the next page begins, or null on the last one.'),
  }),
  errors: [400, 401, 403],
  summary: 'Lists sessions, newest first where nothing else is asked.',
  description:
    'Sessions of the last 7 days, and those of a verification for as many days as its `historyConfig` says. What is older than 7 days has no result any more: its row goes on to say what became of it, and nobody can review it, so that it waits for no decision. Filters hold together. An id that nothing has gives an empty list; an enumerated value that is not one, a filter that is not known and a cursor that is not one of this list, in this order, are a 400. Pages hold nothing twice, and leave out nothing that fitted the filters when the first page was asked for, also while sessions come and change.',
  example: { query: { verificationResult: 'Fail', limit: 20 } },
  textVariant: true,
})

/** Which session a reviewer or an operator acts on. */
export const verificationSessionId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The session.'),
)

export const cancelSession = endpoint({
  method: 'POST',
  path: '/v1/verification/cancel-session',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: deciders,
  ...change,
  body: jsonObject({ verificationSessionId }),
  result: v.object({}),
  errors: [400, 401, 403, 404, 409],
  summary: 'Ends a session that nobody is to finish.',
  description:
    'The session is Expired and fails with `sessionExpired`; its webhook is sent as for any that expired. One that is completed is a 409 with the code `session_completed`. Cancelling one that is Expired changes nothing.',
  example: { body: { verificationSessionId: '6d1f0a522f0c4a5e9d590c1a3b7e8f10' } },
  textVariant: true,
})

export const noteMaximum = 500

export const reviewSession = endpoint({
  method: 'POST',
  path: '/v1/verification/review-session',
  auth: 'key-or-bearer',
  scope: 'review',
  console: reviewers,
  ...change,
  body: jsonObject({
    verificationSessionId,
    decision: v.pipe(
      v.picklist(verificationResults),
      v.description('What the person who looked at it says.'),
    ),
    ifReviewedAt: v.optional(
      v.nullable(isoMoment('The `reviewedAt` of the review that this one is to replace, or null for none.')),
      null,
    ),
    note: v.optional(
      v.pipe(
        v.nullable(
          v.pipe(v.string(), v.maxLength(noteMaximum, `Must have at most ${noteMaximum} characters.`)),
        ),
        v.description('Why, for people. Kept sealed, and erased with the person.'),
      ),
    ),
  }),
  result: v.object({
    reviewedAt: timestamp('When it was reviewed: the name by which it is replaced or undone.'),
  }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Notes what a person decided about a completed session.',
  description:
    'The verdict stays as it is; get-session-result and get-sessions give the decision next to it. A review replaces another one where `ifReviewedAt` names that one; both are in the audit log. Where the session has a review by now that was not named, or not this one any more, it is a 409 with the code `already_reviewed`, and nothing is changed: of several that come at once the first one stands. A session that is still open is a 409 with the code `session_not_completed`. Bearers never carry the scope `review`.',
  example: {
    body: {
      verificationSessionId: '6d1f0a522f0c4a5e9d590c1a3b7e8f10',
      decision: 'Pass',
      note: 'Called back; the document was shown.',
    },
  },
  textVariant: true,
})

export const sessionListEndpoints = {
  getSessions,
  cancelSession,
  reviewSession,
}
