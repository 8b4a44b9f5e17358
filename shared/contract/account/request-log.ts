import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { flag, nullableText, text, timestamp } from '../elements.ts'
import { limitOfPage, nextCursor } from '../paging.ts'

/** A call's outcome, based on its status. */
export const requestOutcomes = ['succeeded', 'failed'] as const

const loggedRequest = v.object({
  time: timestamp('When the call ended.'),
  requestId: text('The id in the `X-Request-Id` of the answer.'),
  method: text('The method.'),
  path: text('The path of the endpoint, without the query.'),
  status: v.pipe(v.number(), v.integer(), v.description('The status of the answer.')),
  code: nullableText('The code of the problem, or null if the call succeeded.'),
  durationInMilliseconds: v.pipe(
    v.number(),
    v.description('Time from the first byte of the request to the end of the answer.'),
  ),
  ignored: nullableText(
    'The `Selfsame-Ignored` header of the answer: unknown names in the request. Null if there were none.',
  ),
  aborted: flag('True if the caller disconnected before the answer was complete.'),
  keyId: nullableText('The key, or the key of the bearer; null if there was none.'),
  operatorId: nullableText(
    'The operator in the console, or null. For visits and kiosks both this and `keyId` are null.',
  ),
})
export type LoggedRequest = v.InferOutput<typeof loggedRequest>

export const getRequests = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'GET',
  path: '/v1/account/get-requests',
  console: builders,
  query: v.object({
    requestId: v.optional(v.pipe(v.string(), v.description('Only the call with this id.'))),
    keyId: v.optional(v.pipe(v.string(), v.description('Only calls with this key.'))),
    outcome: v.optional(
      v.pipe(
        v.picklist(requestOutcomes),
        v.description('Only calls with a status below 400, or of 400 and above.'),
      ),
    ),
    limit: limitOfPage,
    cursor: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,15}-\w{8}$/, 'Must be a cursor returned by this list.'),
        v.description('The `cursor` of the previous page.'),
      ),
    ),
  }),
  result: v.object({
    requests: v.pipe(v.array(loggedRequest), v.description('The calls, newest first.')),
    cursor: nextCursor,
  }),
  errors: [400, 401, 403],
  summary: 'Lists the calls of the last 6 hours with their outcomes.',
  description:
    'Returns up to 2,000 of the latest calls of each process. Contains no request or answer bodies, queries, addresses or data of verified persons. Calls with rejected credentials belong to no account and are left out, as are reads in the console. Calls that another process answered appear after 2 seconds.',
  example: { query: { outcome: 'failed', limit: 20 } },
  textVariant: true,
})

export const requestLogEndpoints = {
  getRequests,
}
