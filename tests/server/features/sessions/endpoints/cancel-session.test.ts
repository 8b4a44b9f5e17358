import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { submitSession } from '#shared/contract/sessions/session.ts'
import { cancelSession, getSessions } from '#shared/contract/sessions/session-list.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { startReceiver } from '../../../../support/programs/receiver.ts'
import { consent, newVerification, openSession, problemOf, submit } from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

describe('POST /v1/verification/cancel-session', () => {
  const cancel = (verificationSessionId: string) =>
    host.call(cancelSession, { body: { verificationSessionId } })

  test('ends a session as expired, once; a later submission is a 410', async () => {
    const opened = await openSession(host, await newVerification(host))
    const { verificationSessionId, bearer } = opened
    expect(await cancel(verificationSessionId)).toEqual({})
    expect(await cancel(verificationSessionId)).toEqual({})
    const [session] = (await host.call(getSessions, { query: { limit: 1 } })).sessions
    expect(session).toMatchObject({
      state: 'Expired',
      verificationFailedReasons: ['sessionExpired'],
      tries: 0,
    })
    const late = host.call(submitSession, { bearer, body: { frames: [], consent } })
    expect(await problemOf(late)).toBe('session_expired')
  })

  test('answers 409 to a completed one, 404 to an unknown one and to one of another account', async () => {
    const opened = await openSession(host, await newVerification(host))
    await submit(host, opened, { person: 'anna' })
    await expect(cancel(opened.verificationSessionId)).rejects.toMatchObject({
      code: 'session_completed',
      status: 409,
    })
    expect(await problemOf(cancel('x'))).toBe('not_found')
    const { apiKey } = await host.services.accounts.create('Other')
    const body = { verificationSessionId: opened.verificationSessionId }
    expect(await problemOf(host.call(cancelSession, { body, apiKey }))).toBe('not_found')
  })

  test('sends the webhook of the verification, as any expiry does', async () => {
    const receiver = await startReceiver()
    const webhookConfig = { eventCallbackUrl: receiver.address }
    const { verificationSessionId } = await openSession(host, await newVerification(host, { webhookConfig }))
    await cancel(verificationSessionId)
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(JSON.parse(receiver.received[0]!.body)).toEqual({
      event: 'VerificationCompleted',
      verificationSessionId,
    })
    receiver.close()
  })
})
