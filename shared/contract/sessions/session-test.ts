import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { jsonObject } from '../elements.ts'
import { change } from '../policies.ts'
import { submitSession, testOutcome } from './session.ts'

export const completeTestSession = endpoint({
  method: 'POST',
  path: '/v1/verification/complete-test-session',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: builders,
  ...change,
  body: jsonObject({
    verificationSessionId: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.description('A session of the test account.'),
    ),
    testOutcome,
  }),
  result: submitSession.result,
  errors: [400, 401, 403, 404, 409],
  summary: 'Ends a session of the test account with the requested outcome, without a camera.',
  description:
    'Overrides the outcome that the session was created with. Answers like submit-session. 400 with a live key, 409 (`session_completed`) after completion.',
  example: {
    body: {
      verificationSessionId: '6d1f0a522f0c4a5e9d590c1a3b7e8f10',
      testOutcome: { result: 'livenessFailed' },
    },
  },
  textVariant: true,
})

export const sessionTestEndpoints = {
  completeTestSession,
}
