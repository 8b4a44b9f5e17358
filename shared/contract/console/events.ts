import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody } from '../../operator-roles.ts'
import { consoleBasePath } from './console-paths.ts'

/**
 * Server-sent events about sessions. Read them with `fetch`, which can send the anti-forgery token; `EventSource` cannot. An open stream does
 * not extend the sign-in and ends with it.
 */
export const watchSessions = endpoint({
  method: 'GET',
  auth: 'console',
  path: `${consoleBasePath}/events`,
  console: everybody,
  result: v.pipe(
    v.string(),
    v.description(
      '`event: sessions` with `data: {"change":5}`, immediately and whenever a session of the account was added or changed: fetch the list again. `event: end` when the sign-in, its role or the server ends. Comments keep the connection open.',
    ),
  ),
  plainText: true,
  errors: [401, 403, 429],
  summary: 'Streams a notice whenever sessions were added or changed.',
})
