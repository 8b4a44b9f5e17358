import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { getSession, submitSession } from '#shared/contract/sessions/session.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import { frameOf, type Scene } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { startReceiver } from '../../../../support/programs/receiver.ts'
import {
  act,
  consent,
  newVerification,
  type Opened,
  openSession,
  problemOf,
  resultOf,
  step,
} from '../../../../support/visit.ts'

const anna = { person: 'anna' }
const bert = { person: 'bert' }
const nobody = { person: null }
const gender: VerificationConfig = { verifierConfigs: { gender: { type: 'CalculationOnly' } } }

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const open = async (config: VerificationConfig = gender, query = '') =>
  openSession(host, await newVerification(host, config), query)

function send({ bearer }: Opened, scenes: readonly Scene[], more: object = {}, on = host) {
  const frames = scenes.map((scene) => ({ ...frameOf(scene), challengeStep: 0 }))
  const body = { frames, consent, acceptsRetry: true, ...more }
  return on.call(submitSession, { bearer, body: body as never })
}

const again = (attemptsLeft: number) => ({
  verificationResult: null,
  redirectUrl: null,
  retry: { attemptsLeft },
})
const stateOf = async ({ bearer }: Opened) => host.call(getSession, { bearer })

describe('submit-session with acceptsRetry', () => {
  test('answers that two tries are left, then one; the third verdict is final', async () => {
    const opened = await open()
    expect(await send(opened, [nobody])).toEqual(again(2))
    expect(await stateOf(opened)).toMatchObject({ state: 'Started', try: 2, retry: { attemptsLeft: 2 } })
    expect(await send(opened, [nobody], { try: 2 })).toEqual(again(1))
    expect(await send(opened, [nobody], { try: 3 })).toEqual({
      verificationResult: 'Fail',
      redirectUrl: null,
    })
    expect(await resultOf(host, opened)).toMatchObject({ tries: 3, verificationFailedReasons: ['noFace'] })
  })

  test('keeps the resemblances of an earlier try, even if the next one shows no face', async () => {
    const config = { verifierConfigs: { commonSettings: { failOnMultipleFacesDetected: true } } }
    const dora = { person: 'dora' }
    const first = await open(gender, 'reExternalId=one')
    await send(first, [dora])
    const opened = await open(config, 'reExternalId=other')
    expect(await send(opened, [{ ...dora, others: 1 }])).toEqual(again(2))
    expect(await send(opened, [nobody], { try: 2 })).toEqual(again(1))
    await send(opened, [nobody], { try: 3 })
    const { verificationSessionId } = first
    expect((await resultOf(host, opened)).findings).toContainEqual({
      kind: 'similarFace',
      verificationSessionId,
    })
  })

  test('passes if a later try corrects the problem; the result lists the tries', async () => {
    const opened = await open()
    expect(await send(opened, [nobody])).toEqual(again(2))
    expect(await send(opened, [anna], { try: 2 })).toMatchObject({ verificationResult: 'Pass' })
    expect(await resultOf(host, opened)).toMatchObject({ tries: 2, verificationResult: 'Pass' })
  })

  test('returns the same answer to the same number, so that a lost answer costs nothing', async () => {
    const opened = await open()
    const many = await Promise.all(Array.from({ length: 4 }, () => send(opened, [nobody])))
    expect(many).toEqual([again(2), again(2), again(2), again(2)])
    expect(await send(opened, [nobody], { try: 1 })).toEqual(again(2))
    const last = await send(opened, [anna], { try: 2 })
    expect(await send(opened, [nobody], { try: 2 })).toEqual(last)
    expect(await send(opened, [nobody], { try: 1 })).toEqual(again(2))
    expect(await send(opened, [nobody], { try: 3 })).toEqual(last)
  })

  test.each([
    [0, []],
    [1, [1]],
    [2, [2, 1]],
    [undefined, [2, 1]],
  ] as const)('with retryConfig.attempts %s answers %j, then the verdict', async (attempts, left) => {
    const retryConfig = attempts === undefined ? {} : { attempts }
    const opened = await open({ ...gender, retryConfig })
    for (const [i, attemptsLeft] of left.entries())
      expect(await send(opened, [nobody], { try: i + 1 })).toEqual(again(attemptsLeft))
    const last = await send(opened, [nobody], { try: left.length + 1 })
    expect(last.verificationResult).toBe('Fail')
  })

  test('is opt-in: without it the first verdict is final', async () => {
    const opened = await open()
    expect(await send(opened, [nobody], { acceptsRetry: undefined })).toMatchObject({
      verificationResult: 'Fail',
    })
    const other = await open()
    expect(await send(other, [nobody])).toEqual(again(2))
    expect(await send(other, [nobody], { try: 2, acceptsRetry: false })).toMatchObject({
      verificationResult: 'Fail',
    })
  })

  test('refuses a try with the wrong number, and one beyond the limit', async () => {
    const opened = await open()
    expect(await problemOf(send(opened, [anna], { try: 2 }))).toBe('step_out_of_order')
    for (const number of [0, 4, 1.5])
      await expect(send(opened, [anna], { try: number })).rejects.toMatchObject({
        errors: [{ pointer: '#/try' }],
      })
  })

  test('does not wait if another try cannot help: consent and camera', async () => {
    const declined = await open()
    expect(await send(declined, [nobody])).toEqual(again(2))
    const left = await send(declined, [], { consent: { ...consent, given: false } })
    expect(left.verificationResult).toBe('Fail')
    expect(await resultOf(host, declined)).toMatchObject({
      verificationFailedReasons: ['consentDeclined'],
      tries: 1,
    })
    const dark = await open()
    expect(await send(dark, [], { problem: 'cameraUnavailable' })).toMatchObject({
      verificationResult: 'Fail',
    })
  })

  test('asks for a new challenge: no step and no picture of the previous try counts', async () => {
    const opened = await open({ verifierConfigs: { liveness: { type: 'Verification' } } })
    await step(host, opened, 0, anna)
    expect(await send(opened, [])).toEqual(again(2))
    await expect(send(opened, [], { try: 2 })).rejects.toMatchObject({ errors: [{ pointer: '#/frames' }] })
    expect((await stateOf(opened)).current).toEqual({ step: 0, action: null, timeLimitInSeconds: null })
    const { next } = await step(host, opened, 0, anna)
    await act(host, opened, next!, anna)
    expect(await send(opened, [anna], { try: 2 })).toMatchObject({ verificationResult: 'Pass' })
  })

  test('keeps a failed identity, even if the right person comes then', async () => {
    const config: VerificationConfig = { verifierConfigs: { faceRecognition: { type: 'MatchVerification' } } }
    const verificationId = await newVerification(host, config)
    const first = await openSession(host, verificationId, 'reExternalId=anna')
    await send(first, [anna])
    const opened = await openSession(host, verificationId, 'reExternalId=anna')
    expect(await send(opened, [bert])).toEqual(again(2))
    expect(await send(opened, [bert], { try: 2 })).toEqual(again(1))
    expect(await send(opened, [bert], { try: 3 })).toMatchObject({ verificationResult: 'Fail' })
    expect(await resultOf(host, opened)).toMatchObject({
      verificationFailedReasons: ['faceMismatch'],
      faceRecognitionResult: 'Fail',
    })
  })

  test('sends one event, at the end, and counts one session', async () => {
    const receiver = await startReceiver()
    const opened = await open({ ...gender, webhookConfig: { eventCallbackUrl: receiver.address } })
    await send(opened, [nobody])
    await host.services.deliveries.settle()
    expect(receiver.received).toHaveLength(0)
    await send(opened, [anna], { try: 2 })
    await host.services.deliveries.settle()
    expect(receiver.received).toHaveLength(1)
    receiver.close()
    const { verificationSessionId } = opened
    const { sessions } = await host.call(getSessions, { query: { limit: 1 } })
    expect(sessions[0]).toMatchObject({ verificationSessionId, state: 'Completed', tries: 2 })
  })

  test('counts each failed try, and no failed session if a later one passes', async () => {
    const limited = await startHost({ ports: { attemptLimit: 1 } })
    const verificationId = await newVerification(limited, gender)
    const opened = await openSession(limited, verificationId)
    await send(opened, [nobody], {}, limited)
    await send(opened, [nobody], { try: 2 }, limited)
    await send(opened, [anna], { try: 3 }, limited)
    const next = await openSession(limited, verificationId)
    await send(next, [nobody], {}, limited)
    expect(await problemOf(openSession(limited, verificationId))).toBe('too_many_requests')
    expect(await send(next, [anna], { try: 2 }, limited)).toMatchObject({ verificationResult: 'Pass' })
    await limited.close()
  })

  test('expires like any session while a try is awaited', async () => {
    const opened = await open()
    await send(opened, [nobody])
    host.pass(15 * 60_000)
    expect(await problemOf(send(opened, [anna], { try: 2 }))).toBe('session_expired')
    expect(await resultOf(host, opened)).toMatchObject({
      verificationFailedReasons: ['sessionExpired'],
      tries: 1,
    })
  })
})

describe('leaving', () => {
  test('closes with the last verdict; before any judged try it is a 400', async () => {
    const opened = await open({ ...gender, redirectConfig: { failedUrl: 'https://shop.example/no' } })
    await expect(send(opened, [], { leave: true })).rejects.toMatchObject({
      status: 400,
      errors: [{ pointer: '#/leave' }],
    })
    await send(opened, [nobody])
    const left = { verificationResult: 'Fail', redirectUrl: 'https://shop.example/no' }
    expect(await send(opened, [], { leave: true })).toEqual(left)
    expect(await send(opened, [], { leave: true })).toEqual(left)
    expect(await resultOf(host, opened)).toMatchObject({ verificationFailedReasons: ['noFace'], tries: 1 })
  })

  test('also reports a failed identity', async () => {
    const config: VerificationConfig = { verifierConfigs: { faceRecognition: { type: 'MatchVerification' } } }
    const opened = await openSession(
      host,
      await newVerification(host, config),
      'reExternalId=x&reEnroll=false',
    )
    await send(opened, [anna])
    await send(opened, [], { leave: true })
    expect(await resultOf(host, opened)).toMatchObject({
      verificationFailedReasons: ['externalIdUnknown'],
      faceRecognitionResult: 'Fail',
    })
  })
})

describe('another way', () => {
  const alternativeConfig = { url: 'https://shop.example/other', text: 'Come to our shop.' }

  test('ends the session as Fail and leads to failedUrl; the plan names it', async () => {
    const opened = await open({
      ...gender,
      alternativeConfig,
      redirectConfig: { failedUrl: 'https://shop.example/no' },
      resultParameterConfig: { includeFailedReason: true },
    })
    expect(opened.capturePlan.alternative).toEqual(alternativeConfig)
    expect(await send(opened, [], { problem: 'alternativeChosen' })).toEqual({
      verificationResult: 'Fail',
      redirectUrl: 'https://shop.example/no?reFailedReason=alternativeChosen',
    })
    expect(await resultOf(host, opened)).toMatchObject({
      verificationFailedReasons: ['alternativeChosen'],
      tries: 0,
    })
  })

  test('needs no consent, and records that none was given', async () => {
    const opened = await open({ ...gender, alternativeConfig })
    const unasked = { ...consent, given: false }
    await send(opened, [], { problem: 'alternativeChosen', consent: unasked })
    expect(await resultOf(host, opened)).toMatchObject({ verificationFailedReasons: ['alternativeChosen'] })
    const camera = await open({ ...gender, alternativeConfig })
    await send(camera, [], { problem: 'cameraUnavailable', consent: unasked })
    expect(await resultOf(host, camera)).toMatchObject({ verificationFailedReasons: ['consentDeclined'] })
  })

  test('is a 400 if the configuration names none', async () => {
    const opened = await open()
    await expect(send(opened, [], { problem: 'alternativeChosen' })).rejects.toMatchObject({
      status: 400,
      errors: [{ pointer: '#/problem' }],
    })
    expect(opened.capturePlan).not.toHaveProperty('alternative')
  })

  test('counts as no failed attempt', async () => {
    const limited = await startHost({ ports: { attemptLimit: 1 } })
    const verificationId = await newVerification(limited, { ...gender, alternativeConfig })
    const opened = await openSession(limited, verificationId)
    await send(opened, [], { problem: 'alternativeChosen' }, limited)
    expect(await problemOf(openSession(limited, verificationId))).toBe('no problem')
    await limited.close()
  })
})

test('privacyConfig reaches the plan unchanged', async () => {
  const privacyConfig = { privacyUrl: 'https://shop.example/privacy', controller: 'Shop Ltd' }
  const { capturePlan } = await open({ ...gender, privacyConfig })
  expect(capturePlan.privacy).toEqual({ ...privacyConfig, termsUrl: null, purpose: null })
})

test.each([
  [{ retryConfig: { attempts: 3 } }, '/retryConfig/attempts'],
  [{ retryConfig: { attempts: -1 } }, '/retryConfig/attempts'],
  [{ retryConfig: { attempts: 1.5 } }, '/retryConfig/attempts'],
  [{ alternativeConfig: { text: 'x' } }, '/alternativeConfig/url'],
  [{ alternativeConfig: { url: 'http://shop.example' } }, '/alternativeConfig/url'],
  [{ privacyConfig: { termsUrl: 'javascript:1' } }, '/privacyConfig/termsUrl'],
])('refuses %j', async (config, pointer) => {
  await expect(newVerification(host, config as never)).rejects.toMatchObject({
    errors: [{ pointer: `#/verificationConfig${pointer}` }],
  })
})
