import * as v from 'valibot'
import { consequences } from '../../consequences.ts'
import { endpoint } from '../../endpoint.ts'
import { owners } from '../../operator-roles.ts'
import { isoMoment, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { consoleBasePath } from './console-paths.ts'

const own = { auth: 'console' } as const

/** How long owners' notices are kept, and how many are returned. */
export const noticeLimits = { keptDays: 30, most: 50 } as const

const notice = v.object({
  noticeId: text('The id of the notice.'),
  time: timestamp('When the operation was performed.'),
  operation: text('The operation, by its name in the API document.'),
  by: nullableText('The actor: the name of an operator, or the id of a key.'),
  consequences: v.pipe(v.array(v.picklist(consequences)), v.description('Consequences of the operation.')),
  verificationId: nullableText('The affected verification, or null.'),
})
export type Notice = v.InferOutput<typeof notice>

const getNotices = endpoint({
  ...own,
  method: 'GET',
  path: `${consoleBasePath}/notices`,
  console: owners,
  result: v.object({
    notices: v.pipe(
      v.array(notice),
      v.description('Notices that this owner has not seen yet, newest first.'),
    ),
  }),
  errors: [401, 403],
  summary: 'Lists operations that weakened a check or moved results or people elsewhere.',
  description: `The latest ${noticeLimits.most} of ${noticeLimits.keptDays} days, of the live account only. The audit log has all of them.`,
})

const seeNotices = endpoint({
  ...own,
  method: 'POST',
  path: `${consoleBasePath}/notices/see`,
  console: owners,
  rate: 'requests',
  audit: 'unrecorded',
  body: jsonObject({ until: isoMoment('The time of the newest notice that was seen.') }),
  result: v.object({}),
  errors: [400, 401, 403],
  summary: 'Marks notices up to a time as seen by this owner.',
})

export const noticesEndpoints = {
  getNotices,
  seeNotices,
}
