import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getVerification } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { fakeJpeg, frameOf } from '../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../support/host.ts'
import {
  act,
  consent,
  newVerification,
  openSession,
  problemOf,
  resultOf,
  step,
  submit,
} from '../support/visit.ts'

const live: VerificationConfig = { verifierConfigs: { liveness: { type: 'Verification' } } }
const anna = { person: 'anna' }

let host: Host
let verificationId: string
beforeAll(async () => {
  host = await startHost()
  verificationId = await newVerification(host, live)
})
afterAll(() => host.close())

async function acted(scene = anna) {
  const opened = await openSession(host, verificationId)
  const { next } = await step(host, opened, 0, scene)
  await act(host, opened, next!, scene)
  return opened
}

describe('a session that is tampered with fails', () => {
  test('when the device reports success', async () => {
    const opened = await openSession(host, verificationId)
    await step(host, opened, 0, anna)
    const deviceReport = {
      verificationResult: 'Pass',
      liveness: 1,
      __proto__: { reasons: [] },
      constructor: 'x',
    }
    const body = { frames: [], consent, deviceReport }
    const { verificationResult } = await host.call(submitSession, { bearer: opened.bearer, body })
    expect(verificationResult).toBe('Fail')
    expect((await resultOf(host, opened)).verificationFailedReasons).toEqual(['challengeFailed'])
  })

  test('when frames come from another session', async () => {
    const bytes = Buffer.from(fakeJpeg({ ...anna, shot: -1 })).toString('base64')
    const send = async () => {
      const opened = await openSession(host, verificationId)
      const body = { step: 0, frames: [{ bytes, time: 0 }] }
      const { next } = await host.call(submitStep, { bearer: opened.bearer, body })
      await act(host, opened, next!, anna)
      await submit(host, opened)
      return resultOf(host, opened)
    }
    expect((await send()).verificationResult).toBe('Pass')
    expect((await send()).verificationFailedReasons).toEqual(['livenessFailed'])
  })

  test('when another person gives the portrait', async () => {
    const opened = await acted()
    await submit(host, opened, { person: 'bert' })
    expect((await resultOf(host, opened)).verificationFailedReasons).toEqual(['personChanged'])
  })

  test('when pictures from after the challenge, in which the head moves, are claimed for an earlier step', async () => {
    const liveness = { type: 'Verification' as const, challengeType: 'Advanced' as const }
    const opened = await openSession(host, await newVerification(host, { verifierConfigs: { liveness } }))
    let { next } = await step(host, opened, 0, anna)
    while (next !== null) next = (await act(host, opened, next, anna)).next
    const moved = ['turnLeft', 'turnRight', 'lookUp'].map((acted) => frameOf({ ...anna, acted }))
    const frames = moved.map((frame) => ({ ...frame, challengeStep: 1 }))
    await host.call(submitSession, { bearer: opened.bearer, body: { frames, consent } })
    expect((await resultOf(host, opened)).verificationFailedReasons).toEqual(['challengeFailed'])
  })

  test('when an action is sent with the submit instead of in its step', async () => {
    const opened = await openSession(host, verificationId)
    const { next } = await step(host, opened, 0, anna)
    const frames = [{ ...frameOf({ ...anna, acted: next!.action }), challengeStep: 1 }]
    await host.call(submitSession, { bearer: opened.bearer, body: { frames, consent } })
    expect((await resultOf(host, opened)).verificationFailedReasons).toEqual(['challengeFailed'])
  })

  test('when every action is sent in the hope that one is requested', async () => {
    const opened = await openSession(host, verificationId)
    expect(await problemOf(step(host, opened, 1, { ...anna, acted: 'blink' }))).toBe('step_out_of_order')
    await submit(host, opened, anna)
    expect((await resultOf(host, opened)).verificationFailedReasons).toEqual(['challengeFailed'])
  })
})

test('nothing changes a session after it is completed', async () => {
  const opened = await acted()
  await submit(host, opened)
  const before = await resultOf(host, opened)
  await submit(host, opened, { person: 'bert' })
  await problemOf(step(host, opened, 2, { person: 'bert' }))
  expect(await resultOf(host, opened)).toEqual(before)
})

test('a device report beyond 64 kB is refused', async () => {
  const opened = await acted()
  const body = { frames: [], consent, deviceReport: { log: 'x'.repeat(64 * 1024) } }
  await expect(host.call(submitSession, { bearer: opened.bearer, body })).rejects.toMatchObject({
    errors: [{ pointer: '#/deviceReport' }],
  })
})

test("another account finds nothing of this one's", async () => {
  const opened = await acted()
  await submit(host, opened)
  const { apiKey } = await host.services.accounts.create('Other')
  const query = { verificationSessionId: opened.verificationSessionId }
  expect(await problemOf(host.call(getSessionResult, { query, apiKey }))).toBe('not_found')
  expect(await problemOf(host.call(getVerification, { query: { verificationId }, apiKey }))).toBe('not_found')
})

describe('too many failed sessions', () => {
  test('are stopped with 429 until an hour has passed', async () => {
    const limited = await startHost({ ports: { attemptLimit: 2 } })
    const id = await newVerification(limited, live)
    const fail = async (query: string) => {
      const opened = await openSession(limited, id, query)
      await submit(limited, opened, anna)
    }
    await fail('reExternalId=7&a=1')
    await fail('reExternalId=7&a=2')
    await expect(openSession(limited, id, 'reExternalId=7&a=3')).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterInSeconds: 3600,
    })
    limited.pass(3600_001)
    await openSession(limited, id, 'reExternalId=7&a=4')
    await limited.close()
  })

  test('do not count declined consent', async () => {
    const limited = await startHost({ ports: { attemptLimit: 1 } })
    const id = await newVerification(limited, live)
    const opened = await openSession(limited, id)
    const body = { frames: [], consent: { ...consent, given: false } }
    await limited.call(submitSession, { bearer: opened.bearer, body })
    await openSession(limited, id)
    await limited.close()
  })
})

test('no key, token or picture appears in an error or a log', async () => {
  const opened = await openSession(host, verificationId)
  const secrets = [host.apiKey, opened.sessionToken, 'canary-value']
  const answers = await Promise.all([
    host.fetch('/v1/verification/create', {
      method: 'POST',
      headers: { authorization: `ApiKey ${host.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 7,
        verificationConfig: { verifierConfigs: { liveness: { type: 'canary-value' } } },
      }),
    }),
    host.fetch('/v1/token/get?expirationInSeconds=canary-value', {
      headers: { authorization: `ApiKey ${host.apiKey}` },
    }),
    host.fetch('/canary-value'),
  ])
  for (const answer of answers) {
    const text = await answer.text()
    for (const secret of secrets) expect(text).not.toContain(secret)
  }
  expect(host.errors).toEqual([])
})
