import { expect, test } from 'vitest'
import { Problem } from '#shared/problem.ts'
import type { ProblemCode } from '#shared/problem-codes.ts'
import { createSubmission } from '#web/capture/flow/submission.ts'
import type { Event } from '#web/capture/machine/state.ts'
import { UnsentError } from '#web/capture/sending/retry.ts'
import type { SessionClient } from '#web/capture/sending/submit.ts'

const find = () => Promise.reject(new Problem('not_found', 'gone'))

/** The events that the page receives when a submission fails with this error. */
async function toldOf(error: Error): Promise<readonly Event[]> {
  const told: Event[] = []
  const client = { find } as Pick<SessionClient, 'find'>
  await createSubmission(
    (event) => told.push(event),
    client,
    () => 't',
  ).submit(() => Promise.reject(error))
  return told
}

test.each([
  ['invalid_request', { type: 'notOpened', problem: 'wrong' }],
  ['unreadable_image', { type: 'notOpened', problem: 'wrong' }],
  ['forbidden', { type: 'notOpened', problem: 'wrong' }],
  ['body_too_large', { type: 'notOpened', problem: 'wrong' }],
  ['unauthenticated', { type: 'expired' }],
  ['not_found', { type: 'expired' }],
  ['session_expired', { type: 'expired' }],
  ['session_closed', { type: 'notOpened', problem: 'finished', redirectUrl: null }],
  ['session_handed_over', { type: 'elsewhere', handoff: null }],
  ['session_token_ended', { type: 'elsewhere', handoff: null }],
  ['step_out_of_order', { type: 'outOfStep' }],
] as const satisfies readonly [ProblemCode, Event][])(
  'an error with %s is never treated as a lost connection, which would be retried forever',
  async (code, event) => {
    expect(await toldOf(new Problem(code, 'refused'))).toEqual([event])
  },
)

test('an unsent submission waits', async () => {
  expect(await toldOf(new UnsentError('nothing could be sent'))).toEqual([{ type: 'unsent' }])
})
