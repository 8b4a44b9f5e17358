import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../console/operator-roles.ts'
import { flag, nullableText, text, timestamp } from '../elements.ts'
import { limitOfPage, nextCursor } from './audit.ts'

/** How a call ended, as far as its status tells. */
export const requestOutcomes = ['succeeded', 'failed'] as const

const loggedRequest = v.object({
  time: timestamp('When it was over.'),
  requestId: text('The id that its answer carried in `X-Request-Id`.'),
  method: text('The method.'),
  path: text('The path of the endpoint, without a query.'),
  status: v.pipe(v.number(), v.integer(), v.description('The status of the answer.')),
  code: nullableText('The code of the problem, or null where it succeeded.'),
  durationInMilliseconds: v.pipe(v.number(), v.description('From the first byte to the end of the answer.')),
  ignored: nullableText(
    'The `Selfsame-Ignored` of the answer: names in the request that the endpoint does not know; null if there were none.',
  ),
  aborted: flag('Whether the caller left before the answer was whole.'),
  keyId: nullableText('The key, also that of a bearer; null where there was none.'),
  operatorId: nullableText('The person in the console, or null. Null like `keyId` for visits and kiosks.'),
})
export type LoggedRequest = v.InferOutput<typeof loggedRequest>

export const getRequests = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'GET',
  path: '/v1/account/get-requests',
  console: builders,
  query: v.object({
    requestId: v.optional(v.pipe(v.string(), v.description('Only the calls of this id.'))),
    keyId: v.optional(v.pipe(v.string(), v.description('Only calls with this key.'))),
    outcome: v.optional(
      v.pipe(
        v.picklist(requestOutcomes),
        v.description('Only calls with a status below 400, or from there on.'),
      ),
    ),
    limit: limitOfPage,
    cursor: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,15}-\w{8}$/, 'Must be a cursor returned by this list.'),
        v.description('The `cursor` of the page before.'),
      ),
    ),
  }),
  result: v.object({
    requests: v.pipe(v.array(loggedRequest), v.description('The calls, newest first.')),
    cursor: nextCursor,
  }),
  errors: [400, 401, 403],
  summary: 'Lists the calls of the last 6 hours: what was asked, and how it ended.',
  description:
    'The latest 2,000 of each process. Never what was sent or answered, no query, no address, nobody who is verified. A call whose credential was refused belongs to no account and is not here; nor is what people only read in the console. What other processes answered is here after 2 seconds.',
  example: { query: { outcome: 'failed', limit: 20 } },
  textVariant: true,
})

export const requestLogEndpoints = {
  getRequests,
}
