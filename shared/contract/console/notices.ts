import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { isoMoment, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { consequences } from './consequences.ts'
import { consoleBasePath } from './console-paths.ts'
import { owners } from './operator-roles.ts'

const own = { auth: 'console' } as const

/** How long the owners are notified of something, and of how many things at once. */
export const noticeLimits = { keptDays: 30, most: 50 } as const

const notice = v.object({
  noticeId: text('The id of the notice.'),
  time: timestamp('When it was done.'),
  operation: text('What was done, by its name in the API document.'),
  by: nullableText('Who did it: the name of a person, or the id of a key.'),
  consequences: v.pipe(v.array(v.picklist(consequences)), v.description('What it leads to.')),
  verificationId: nullableText('The verification that it was done to, or null.'),
})
export type Notice = v.InferOutput<typeof notice>

const getNotices = endpoint({
  ...own,
  method: 'GET',
  path: `${consoleBasePath}/notices`,
  console: owners,
  result: v.object({
    notices: v.pipe(v.array(notice), v.description('What this owner has not seen yet, newest first.')),
  }),
  errors: [401, 403],
  summary: 'Tells an owner what was done that weakens a check, or moves results or people elsewhere.',
  description: `The latest ${noticeLimits.most} of ${noticeLimits.keptDays} days, of the live account alone. The audit log has all of them.`,
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
  summary: 'Says that this owner has seen what there was until then.',
})

export const noticesEndpoints = {
  getNotices,
  seeNotices,
}
