import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { consoleBasePath } from './console-paths.ts'
import { everybody } from './operator-roles.ts'

/**
 * What is new, as server-sent events. To be read with `fetch`, which can carry the anti-forgery token: `EventSource` cannot. An open stream is
 * no use of the sign-in, and ends with it.
 */
export const watchSessions = endpoint({
  method: 'GET',
  auth: 'console',
  path: `${consoleBasePath}/events`,
  console: everybody,
  result: v.pipe(
    v.string(),
    v.description(
      '`event: sessions` with `data: {"change":5}` at once and whenever a session of the account came or changed: ask for the list again. `event: end` when the sign-in, its role or the server ends. A comment now and then.',
    ),
  ),
  plainText: true,
  errors: [401, 403, 429],
  summary: 'Tells when sessions came or changed, as long as it is listened to.',
})
