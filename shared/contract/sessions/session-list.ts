import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { deciders, everybody, reviewers } from '../../operator-roles.ts'
import { assurances } from '../configuration/check-settings.ts'
import { isoMoment, jsonObject, nullableText, queryInteger, queryTime, text, timestamp } from '../elements.ts'
import { environments } from '../environment.ts'
import { externalIdToFind } from '../identity.ts'
import { pageLimit } from '../paging.ts'
import { change } from '../policies.ts'
import { failedReasons, sessionStates, verificationResults } from './session.ts'
import { visitBrowsers, visitDevices } from './session-device.ts'
import { milestones, sessionOutcomes } from './session-ending.ts'
import { findings, review } from './session-result.ts'

/** The origin of a session. */
export const sessionSources = ['link', 'api', 'kiosk'] as const
export type SessionSource = (typeof sessionSources)[number]

/** The review state of a session that can be reviewed. */
export const reviewStates = ['waiting', 'wanted', 'reviewed'] as const
export type ReviewState = (typeof reviewStates)[number]

export const sessionOrders = ['newest', 'leastCertain'] as const
export type SessionOrder = (typeof sessionOrders)[number]

/** How long an id prefix may be when searching for sessions. */
export const idBeginning = { minimum: 4, maximum: 12 } as const

const defaultPage = 20

function filter(meaning: string) {
  return v.optional(v.pipe(v.string(), v.description(meaning)))
}

function filterOf<const T extends readonly string[]>(words: T, meaning: string) {
  return v.optional(v.pipe(v.picklist(words), v.description(meaning)))
}

/** [Note: Ours] The position at the end of this page, and the end of the list at the time the first page was read. */
const cursor = v.pipe(
  v.string(),
  v.regex(/^\d{1,15}-[\w-]{43}-\d{1,15}(?:-\d{1,3})?$/, 'Must be a cursor returned by this list.'),
  v.description('The `cursor` of the previous page.'),
)

export const listedSession = v.object({
  verificationSessionId: text('The session.'),
  verificationId: nullableText('The verification; null for a session without one.'),
  verificationName: nullableText('Its current name; null if it no longer exists.'),
  state: v.pipe(v.picklist(sessionStates), v.description('State of the session.')),
  outcome: v.pipe(
    v.picklist(sessionOutcomes),
    v.description(
      'What became of it: `open`; `passed`; `failed`; `left`, which means that it ended before a picture was judged; `expired`, which means that its time ran out or it was cancelled after a picture was judged.',
    ),
  ),
  verificationResult: v.pipe(
    v.nullable(v.picklist(verificationResults)),
    v.description('The verdict; null before completion.'),
  ),
  verificationFailedReasons: v.pipe(
    v.nullable(v.array(v.picklist(failedReasons))),
    v.description('All reasons for a Fail; null before completion.'),
  ),
  externalId: nullableText("The caller's id of the person."),
  correlationId: nullableText("The caller's own id of the visit."),
  source: v.pipe(
    v.picklist(sessionSources),
    v.description('Origin of the session: a link, create-session, or the capture of a kiosk.'),
  ),
  device: v.optional(
    v.pipe(
      v.picklist(visitDevices),
      v.description('Kind of device according to its browser: a hint. Absent if unknown.'),
    ),
  ),
  browser: v.optional(
    v.pipe(
      v.picklist(visitBrowsers),
      v.description(
        'The family of its browser: a hint. All browsers on iOS are `safari`. Absent if unknown.',
      ),
    ),
  ),
  environment: v.pipe(v.picklist(environments), v.description('Live or test session.')),
  assurance: v.pipe(
    v.nullable(v.picklist(assurances)),
    v.description('Level of assurance; null before completion.'),
  ),
  tries: v.pipe(v.number(), v.integer(), v.description('Number of judged tries.')),
  findings: v.pipe(v.nullable(findings), v.description('Null before completion.')),
  assignedTo: nullableText('Who should review it, or null.'),
  createdAt: timestamp('When it was opened.'),
  completedAt: v.pipe(
    v.nullable(v.string()),
    v.description('When it completed or expired; null before.'),
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
        v.description('Only sessions of the last 7 days whose id begins with this.'),
      ),
    ),
    verificationId: filter('Only sessions of this verification.'),
    outcome: filterOf(sessionOutcomes, 'Only sessions with this `outcome`.'),
    state: filterOf(sessionStates, 'Only sessions in this state.'),
    verificationResult: filterOf(verificationResults, 'Only sessions with this verdict.'),
    failedReason: filterOf(failedReasons, 'Only failed sessions with this reason, possibly among others.'),
    externalId: v.optional(externalIdToFind('Only sessions of this person.')),
    correlationId: filter('Only sessions with this id.'),
    kioskId: filter('Only sessions of this kiosk.'),
    source: filterOf(sessionSources, 'Only sessions of this origin.'),
    device: filterOf(visitDevices, 'Only visits of the last 7 days on this kind of device.'),
    browser: filterOf(visitBrowsers, 'Only visits of the last 7 days with a browser of this family.'),
    reached: filterOf(
      milestones,
      'Only visits of the last 7 days that reached this milestone: `consented`, `firstPicture` (the server saw one), `submitted`.',
    ),
    review: filterOf(
      reviewStates,
      'Only sessions that wait for a review, those of them that failed or have the finding `denied`, or sessions that have one. Declined and abandoned sessions and those without a camera do not wait for one.',
    ),
    assignedTo: filter('Only sessions of the last 7 days that are assigned to this reviewer.'),
    order: v.optional(
      v.pipe(
        v.picklist(sessionOrders),
        v.description(
          'Order of the list: by age, or by the uncertainty of the verdict, with failures first, then scores near their limit.',
        ),
      ),
      'newest',
    ),
    createdFrom: v.optional(queryTime('Only sessions created at this time or later.')),
    createdTo: v.optional(queryTime('Only sessions created before this time.')),
    limit: v.optional(
      v.pipe(
        queryInteger(pageLimit.minimum, pageLimit.maximum),
        v.description('Maximum number of sessions to return.'),
      ),
      defaultPage,
    ),
    cursor: v.optional(cursor),
  }),
  result: v.object({
    sessions: v.pipe(v.array(listedSession), v.description('The sessions in the requested order.')),
    cursor: nullableText('Cursor of the next page, or null on the last page.'),
  }),
  errors: [400, 401, 403],
  summary: 'Lists sessions, newest first by default.',
  description:
    'Returns sessions of the last 7 days, and those of a verification for the days in its `historyConfig`. Sessions older than 7 days have no result and cannot be reviewed; their rows only show the outcome. Filters are combined with AND. An unknown id returns an empty list. An invalid enumerated value, an unknown filter, or a cursor from another list or order is a 400. Even while sessions are added and changed, pages contain no duplicates and omit no session that matched the filters when the first page was requested.',
  example: { query: { verificationResult: 'Fail', limit: 20 } },
  textVariant: true,
})

/** The session that a reviewer or an operator is working on. */
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
  summary: 'Cancels an open session.',
  description:
    'The session becomes Expired and fails with `sessionExpired`; its webhook is sent as for any expired session. A completed session is a 409 with the code `session_completed`. Cancelling an Expired session has no effect.',
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
    decision: v.pipe(v.picklist(verificationResults), v.description("The reviewer's decision.")),
    ifReviewedAt: v.optional(
      v.nullable(isoMoment('The `reviewedAt` of the review to replace, or null if there is none.')),
      null,
    ),
    note: v.optional(
      v.pipe(
        v.nullable(
          v.pipe(v.string(), v.maxLength(noteMaximum, `Must have at most ${noteMaximum} characters.`)),
        ),
        v.description('The reason, for people. Stored sealed and erased with the person.'),
      ),
    ),
  }),
  result: v.object({
    reviewedAt: timestamp('When it was reviewed. Use it to replace or withdraw the review.'),
  }),
  errors: [400, 401, 403, 404, 409],
  summary: "Records a reviewer's decision about a completed session.",
  description:
    'The verdict stays unchanged; get-session-result and get-sessions return the decision next to it. A review replaces an existing one if `ifReviewedAt` matches it; the audit log has both. If the current review does not match, the call is a 409 with the code `already_reviewed` and changes nothing, so of simultaneous reviews the first wins. An open session is a 409 with the code `session_not_completed`. Bearers never have the scope `review`.',
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
