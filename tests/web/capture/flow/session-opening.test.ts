import { expect, test } from 'vitest'
import { Problem } from '#shared/problem.ts'
import { openLink } from '#web/capture/flow/session-opening.ts'
import type { SessionClient } from '#web/capture/sending/submit.ts'
import { plan } from '../../support/plan.ts'

const { theme } = plan
const openingId = { read: () => 'a'.repeat(22), drop: () => undefined }
const signed = { kind: 'signed', verificationId: 'v', queryString: 'a=1' } as const

function open(client: Partial<SessionClient>, link: Parameters<typeof openLink>[0]['link']) {
  return openLink({ client: client as SessionClient, link, path: '/', openingId, known: undefined })
}

test.each([
  ['signature_invalid', 'wrong'],
  ['link_expired', 'gone'],
  ['link_already_used', 'gone'],
  ['too_many_requests', 'tooMany'],
] as const)('a link that is refused with %s knows who sent it', async (code, problem) => {
  const refuse = () => Promise.reject(new Problem(code, 'refused', { members: { theme } }))
  expect((await open({ open: refuse }, signed)).event).toEqual({
    type: 'notOpened',
    problem,
    asker: { theme },
  })
})

test('a link of nothing knows nobody', async () => {
  const refuse = () => Promise.reject(new Problem('not_found', 'refused'))
  expect((await open({ open: refuse }, signed)).event).toEqual({ type: 'notOpened', problem: 'wrong' })
})

test('a session that expired knows who asked for it', async () => {
  const find = async () =>
    ({ state: 'Expired', capturePlan: plan, handoff: null }) as unknown as Awaited<
      ReturnType<SessionClient['find']>
    >
  const link = { kind: 'session', sessionId: 's', token: 't' } as const
  expect((await open({ find }, link)).event).toEqual({ type: 'notOpened', problem: 'gone', asker: { theme } })
})
