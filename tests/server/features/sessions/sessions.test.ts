import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { pipelineVersion } from '#models/rules/pipeline-version.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { getSession, submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { createFakeAnalysis } from '../../../support/drawn/fake-analysis.ts'
import { frameOf } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { recordOf } from '../../../support/session-record.ts'
import {
  act,
  consent,
  newVerification,
  openSession,
  problemOf,
  resultOf,
  step,
  submit,
  visit,
} from '../../../support/visit.ts'

const anna = { person: 'anna' }
const passive: VerificationConfig = { verifierConfigs: { age: { type: 'CalculationOnly' } } }
const balanced: VerificationConfig = { verifierConfigs: { liveness: { type: 'Verification' } } }
const advanced: VerificationConfig = {
  verifierConfigs: { liveness: { type: 'Verification', challengeType: 'Advanced', allowAlternative: true } },
}

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const open = async (config: VerificationConfig, query = '') =>
  openSession(host, await newVerification(host, config), query)

describe('a session', () => {
  test('passes when the requested action is performed', async () => {
    const { asked, submitted, result } = await visit(host, await newVerification(host, balanced), anna)
    expect(asked).toHaveLength(1)
    expect(submitted).toEqual({ verificationResult: 'Pass', redirectUrl: null })
    expect(result).toMatchObject({ livenessVerificationResult: 'Pass', verificationFailedReasons: [] })
  })

  test('stores the evidence of its verdict with the result, and returns it to no one', async () => {
    const opened = await open(balanced)
    await step(host, opened, 0, anna)
    await submit(host, opened, anna)
    const record = await recordOf(host, opened)
    expect(record!.outcome!.evidence).toMatchObject({ findings: expect.any(Array) })
    const result = await resultOf(host, opened)
    for (const finding of result.findings)
      expect(Object.keys(finding)).toEqual(['kind', 'verificationSessionId'])
    expect(JSON.stringify(result)).not.toMatch(/evidence|cues|passiveScore/)
  })

  test('requests three different actions when it is Advanced', async () => {
    const { asked, submitted } = await visit(host, await newVerification(host, advanced), anna)
    expect(new Set(asked).size).toBe(3)
    expect(submitted.verificationResult).toBe('Pass')
  })

  test('goes from Created to Started to Completed, and shows the awaited step', async () => {
    const opened = await open(balanced)
    const state = () => host.call(getSession, { bearer: opened.bearer })
    expect(await state()).toMatchObject({ state: 'Created', current: { step: 0, action: null } })
    const { next } = await step(host, opened, 0, anna)
    expect(await state()).toMatchObject({ state: 'Started', current: { step: 1, action: next!.action } })
    await act(host, opened, next!, anna)
    expect((await state()).current).toBeNull()
    await submit(host, opened)
    expect(await state()).toMatchObject({ state: 'Completed', current: null })
  })

  test('repeats one failed step with another action, and only one', async () => {
    const opened = await open(balanced)
    const first = (await step(host, opened, 0, anna)).next!
    const failed = await step(host, opened, 1, anna)
    expect(failed.accepted).toBe(false)
    expect(failed.next).toMatchObject({ step: 2 })
    expect(failed.next!.action).not.toBe(first.action)
    expect(await step(host, opened, 2, anna)).toEqual({ accepted: false, next: null })
    expect(await submit(host, opened, anna)).toMatchObject({ verificationResult: 'Fail' })
    expect((await resultOf(host, opened)).verificationFailedReasons).toEqual(['challengeFailed'])
  })

  test('passes when the repeat is performed', async () => {
    const opened = await open(balanced)
    await step(host, opened, 0, anna)
    const { next } = await step(host, opened, 1, anna)
    expect(await act(host, opened, next!, anna)).toEqual({ accepted: true, next: null })
    expect((await submit(host, opened)).verificationResult).toBe('Pass')
  })

  test('requests another action after a wrong one', async () => {
    const opened = await open(balanced)
    const { next } = await step(host, opened, 0, anna)
    const other = next!.action === 'turnLeft' ? 'turnRight' : 'turnLeft'
    const wrong = await step(host, opened, 1, { ...anna, acted: other })
    expect(wrong).toMatchObject({ accepted: false, next: { step: 2 } })
    const first = await act(host, opened, wrong.next!, anna)
    expect(first).toMatchObject({ accepted: true, next: { step: 3 } })
    expect(await act(host, opened, first.next!, anna)).toEqual({ accepted: true, next: null })
    expect((await submit(host, opened)).verificationResult).toBe('Pass')
  })

  test('fails if only one right action follows a wrong one', async () => {
    const opened = await open(balanced)
    const { next } = await step(host, opened, 0, anna)
    const other = next!.action === 'turnLeft' ? 'turnRight' : 'turnLeft'
    const wrong = await step(host, opened, 1, { ...anna, acted: other })
    await act(host, opened, wrong.next!, anna)
    expect((await submit(host, opened)).verificationResult).toBe('Fail')
    expect((await resultOf(host, opened)).verificationFailedReasons).toEqual(['challengeFailed'])
  })

  test('gives a repeated step the same answer and changes nothing', async () => {
    const opened = await open(balanced)
    const first = await step(host, opened, 0, anna)
    const calls = host.analysis.calls
    expect(await step(host, opened, 0, { person: 'bert' })).toEqual(first)
    expect(host.analysis.calls).toBe(calls)
  })

  test('answers two steps that arrive at once with one draw', async () => {
    const opened = await open(balanced)
    const answers = await Promise.all([step(host, opened, 0, anna), step(host, opened, 0, anna)])
    expect(answers[0]).toEqual(answers[1])
  })

  test('refuses a step that is not awaited', async () => {
    const opened = await open(balanced)
    expect(await problemOf(step(host, opened, 1, anna))).toBe('step_out_of_order')
    await step(host, opened, 0, anna)
    expect(await problemOf(step(host, opened, 2, anna))).toBe('step_out_of_order')
  })

  test.each([
    [10_000 + 1900, true],
    [10_000 + 2100, false],
  ])('judges a step answered after %i ms as accepted: %s', async (milliseconds, accepted) => {
    // The clock is stopped. Only time that the test lets pass counts, however slow the machine is.
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const opened = await open(balanced)
      const { next } = await step(host, opened, 0, anna)
      host.pass(milliseconds)
      expect((await act(host, opened, next!, anna)).accepted).toBe(accepted)
    } finally {
      vi.useRealTimers()
    }
  })

  test('fails without analysis when consent is declined', async () => {
    const opened = await open(balanced)
    const calls = host.analysis.calls
    const body = { frames: [], consent: { ...consent, given: false } }
    expect(await host.call(submitSession, { bearer: opened.bearer, body })).toMatchObject({
      verificationResult: 'Fail',
    })
    expect((await resultOf(host, opened)).verificationFailedReasons).toEqual(['consentDeclined'])
    expect(host.analysis.calls).toBe(calls)
  })

  test('fails with cameraUnavailable when the page reports it', async () => {
    const opened = await open(balanced)
    const body = { frames: [], consent, problem: 'cameraUnavailable' as const }
    await host.call(submitSession, { bearer: opened.bearer, body })
    expect(await resultOf(host, opened)).toMatchObject({
      verificationFailedReasons: ['cameraUnavailable'],
      livenessVerificationResult: 'NotExecuted',
    })
  })

  test('refuses empty frames if nothing was sent before', async () => {
    const opened = await open(passive)
    expect(await problemOf(submit(host, opened))).toBe('invalid_request')
  })

  test('gives a repeated submit the same result', async () => {
    const opened = await open(passive)
    const first = await submit(host, opened, anna)
    expect(await submit(host, opened, { person: null })).toEqual(first)
  })

  test('answers concurrent submits with the result of one', async () => {
    const opened = await open(passive)
    const answers = await Promise.all(
      [anna, { person: null }, anna].map((scene) => submit(host, opened, scene)),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test('refuses steps once it is closed, and repeats earlier answers', async () => {
    const opened = await open(balanced)
    const first = await step(host, opened, 0, anna)
    await submit(host, opened, anna)
    expect(await step(host, opened, 0, anna)).toEqual(first)
    expect(await problemOf(step(host, opened, 1, anna))).toBe('session_closed')
  })

  test('erases its observations when it completes', async () => {
    const opened = await open(balanced)
    await step(host, opened, 0, anna)
    expect((await recordOf(host, opened))?.observations).toHaveLength(1)
    await submit(host, opened, anna)
    expect(await recordOf(host, opened)).toMatchObject({ state: 'Completed', observations: [] })
  })

  test('is stored with the version of the pipeline that judged it', async () => {
    const opened = await open(passive)
    const recorded = async () => (await recordOf(host, opened))?.pipelineVersion
    expect(await recorded()).toBeNull()
    await submit(host, opened, anna)
    expect(await recorded()).toBe(pipelineVersion)
  })

  test('is judged even if the page is gone by then', async () => {
    const analysis = createFakeAnalysis()
    const hangUp = new AbortController()
    const left = await startHost({
      ports: {
        analysis: {
          ...analysis,
          analyse: async (...given) => {
            hangUp.abort()
            await setTimeout(20)
            return analysis.analyse(...given)
          },
        },
      },
    })
    const opened = await openSession(left, await newVerification(left, passive))
    const sending = left.fetch(submitSession.path, {
      method: 'POST',
      signal: hangUp.signal,
      headers: { authorization: `Bearer ${opened.sessionToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ frames: [{ ...frameOf(anna), challengeStep: 0 }], consent }),
    })
    await expect(sending).rejects.toThrow()
    await expect.poll(() => problemOf(resultOf(left, opened))).toBe('no problem')
    expect(left.errors).toEqual([])
    await left.close()
  })

  test('fails with lowQuality when a face is to be recognised and none is good enough', async () => {
    const analysis = createFakeAnalysis()
    const blurred = await startHost({
      ports: {
        analysis: {
          ...analysis,
          analyse: async (...request) => {
            const { face, ...seen } = await analysis.analyse(...request)
            return { ...seen, face: face && { ...face, embedding: new Float32Array() } }
          },
        },
      },
    })
    const id = await newVerification(blurred, {
      verifierConfigs: { faceRecognition: { type: 'CalculationOnly' } },
    })
    const { result } = await visit(blurred, id, anna)
    expect(result).toMatchObject({ faceRecognitionResult: 'Fail', verificationFailedReasons: ['lowQuality'] })
    await blurred.close()
  })

  test('reveals nothing of its result before it is completed', async () => {
    const opened = await open(passive)
    expect(await problemOf(resultOf(host, opened))).toBe('session_not_completed')
  })
})

describe('a request for more time or another action', () => {
  const ask = (bearer: string, request: 'moreTime' | 'otherAction', number = 1) =>
    host.call(submitStep, { bearer, body: { step: number, frames: [], request } })

  test('moreTime restarts the clock with the same action, twenty times', async () => {
    const opened = await open(balanced)
    const { next } = await step(host, opened, 0, anna)
    for (let i = 0; i < 20; i++) {
      host.pass(11_000)
      expect(await ask(opened.bearer, 'moreTime')).toEqual({
        accepted: true,
        next: { ...next!, timeLimitInSeconds: 20 },
      })
    }
    host.pass(11_000)
    expect(await ask(opened.bearer, 'moreTime')).toEqual({
      accepted: false,
      next: { ...next!, timeLimitInSeconds: 8 },
    })
    host.pass(10_900)
    expect((await act(host, opened, next!, anna)).accepted).toBe(true)
  })

  test('otherAction draws another action at most twice, and the result names it', async () => {
    const opened = await open(advanced)
    const first = (await step(host, opened, 0, anna)).next!
    const second = (await ask(opened.bearer, 'otherAction')).next!
    const third = (await ask(opened.bearer, 'otherAction')).next!
    const fourth = (await ask(opened.bearer, 'otherAction')).next!
    expect(new Set([first.action, second.action, third.action]).size).toBe(3)
    expect(fourth.action).toBe(third.action)
    await submit(host, opened, anna)
    expect((await resultOf(host, opened)).alternativeAction).toBe(third.action)
  })

  test('otherAction requests the same again if alternatives are not allowed', async () => {
    const opened = await open(balanced)
    const { next } = await step(host, opened, 0, anna)
    expect((await ask(opened.bearer, 'otherAction')).next!.action).toBe(next!.action)
    await submit(host, opened, anna)
    expect(await resultOf(host, opened)).not.toHaveProperty('alternativeAction')
  })

  test('is refused at step 0', async () => {
    const opened = await open(balanced)
    expect(await problemOf(ask(opened.bearer, 'moreTime', 0))).toBe('invalid_request')
  })
})

describe('frames', () => {
  const send = (opened: { bearer: string }, ...bytes: string[]) =>
    host.call(submitStep, {
      bearer: opened.bearer,
      body: { step: 0, frames: bytes.map((text) => ({ bytes: text, time: 0 })) },
    })
  const good = () => frameOf(anna).bytes
  const large = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1024 * 1024)]).toString('base64')
  const wide = () => Buffer.from(Buffer.from(frameOf(anna).bytes, 'base64'))

  test.each([
    ['no Base64', () => '!!!!'],
    ['Base64 with bits after its end', () => `${good().slice(0, -4)}/9==`],
    ['no JPEG', () => Buffer.from('hello, world').toString('base64')],
    ['more than 1 MiB', () => large],
    ['no frame header', () => Buffer.from([0xff, 0xd8, 0xff, 0xd9]).toString('base64')],
    ['a cut header', () => wide().subarray(0, 10).toString('base64')],
  ])('are refused with a pointer: %s', async (_name, bytes) => {
    const opened = await open(passive)
    await expect(send(opened, good(), bytes())).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '#/frames/1/bytes' }],
    })
  })

  test('are refused beyond 2 megapixels', async () => {
    const opened = await open(passive)
    const jpeg = wide()
    const sof = jpeg.lastIndexOf(Buffer.from([0xff, 0xc0]))
    jpeg.writeUInt16BE(65_535, sof + 7)
    await expect(send(opened, jpeg.toString('base64'))).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('are refused beyond 24 in all', async () => {
    const opened = await open(passive)
    await send(opened, ...Array.from({ length: 24 }, good))
    expect(await problemOf(submit(host, opened, anna))).toBe('invalid_request')
  })

  test('of a step that was never revealed are refused', async () => {
    const opened = await open(balanced)
    await step(host, opened, 0, anna)
    const body = { frames: [{ ...frameOf(anna), challengeStep: 2 }], consent }
    await expect(host.call(submitSession, { bearer: opened.bearer, body })).rejects.toMatchObject({
      errors: [{ pointer: '#/frames/0/challengeStep' }],
    })
  })

  test('that cannot be decoded are named', async () => {
    const opened = await open(passive)
    const jpeg = Buffer.from(Buffer.from(good(), 'base64').toString('latin1').replace('{', '('), 'latin1')
    await expect(send(opened, good(), jpeg.toString('base64'))).rejects.toMatchObject({
      code: 'unreadable_image',
      errors: [{ pointer: '#/frames/1/bytes' }],
    })
  })
})

describe('expiry', () => {
  test('completes a session as Fail after 15 minutes', async () => {
    const opened = await open(passive)
    host.pass(15 * 60_000)
    await host.services.expireOverdue()
    expect(await resultOf(host, opened)).toMatchObject({
      verificationResult: 'Fail',
      verificationFailedReasons: ['sessionExpired'],
    })
    expect(await problemOf(submit(host, opened, anna))).toBe('session_expired')
    expect(await problemOf(step(host, opened, 0, anna))).toBe('session_expired')
    expect((await host.call(getSession, { bearer: opened.bearer })).state).toBe('Expired')
  })

  test('is also noticed at the first request', async () => {
    const opened = await open(passive)
    host.pass(15 * 60_000)
    expect(await problemOf(submit(host, opened, anna))).toBe('session_expired')
  })

  test('erases every trace 7 days after creation', async () => {
    const opened = await open(passive)
    await submit(host, opened, anna)
    host.pass(7 * 24 * 3600_000 - 60_000)
    expect((await resultOf(host, opened)).verificationResult).toBe('Pass')
    host.pass(60_000)
    expect(await problemOf(resultOf(host, opened))).toBe('not_found')
  })
})
