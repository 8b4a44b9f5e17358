import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getSession, submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { fakeJpeg, frameOf } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import {
  act,
  consent,
  newVerification,
  type Opened,
  openSession,
  problemOf,
  step,
  submit,
} from '../../../../support/visit.ts'

const anna = { person: 'anna' }
const config = { verifierConfigs: { liveness: { type: 'Verification', challengeType: 'Balanced' } } } as const

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const open = async () => openSession(host, await newVerification(host, config))
const find = ({ bearer }: Pick<Opened, 'bearer'>) => host.call(getSession, { bearer })

/** `count` small film pictures in chronological order. */
const film = (count: number) =>
  Array.from({ length: count }, (_, shot) => ({
    bytes: Buffer.from(fakeJpeg({ ...anna, shot }, 128, 96)).toString('base64'),
    time: shot * 150,
  }))

describe('the state for a reloaded page', () => {
  test('contains the used limits, and the performed actions', async () => {
    const opened = await open()
    expect(await find(opened)).toMatchObject({ soFar: { frames: 0, trail: 0, actionsDone: 0 } })
    host.pass(5000)
    const frames = [frameOf(anna, 100), frameOf(anna, 500), frameOf(anna, 900)]
    const { bearer } = opened
    const { next } = await host.call(submitStep, { bearer, body: { step: 0, frames, trail: film(7) } })
    expect(await find(opened)).toMatchObject({ soFar: { frames: 3, trail: 7, actionsDone: 0 } })
    await act(host, opened, next!, anna)
    expect(await find(opened)).toMatchObject({
      current: null,
      soFar: { frames: 4, trail: 7, actionsDone: 1 },
    })
  })

  test('contains nothing of an earlier try', async () => {
    const opened = await open()
    await step(host, opened, 0, anna)
    const frames = [{ ...frameOf({ person: null }), challengeStep: 0 }]
    const body = { frames, consent, acceptsRetry: true }
    await host.call(submitSession, { bearer: opened.bearer, body })
    expect(await find(opened)).toMatchObject({ try: 2, soFar: { frames: 0, trail: 0, actionsDone: 0 } })
  })

  test('is only for the device that holds the session', async () => {
    const opened = await open()
    const { code } = await host.call(createHandoff, { bearer: opened.bearer })
    const { sessionToken } = await host.call(takeHandoff, { body: { code } })
    expect(await find(opened)).not.toHaveProperty('soFar')
    expect(await find({ bearer: sessionToken })).toHaveProperty('soFar')
  })
})

describe('a submission whose judgement failed', () => {
  test('is awaited again, by the step as well, and is not reported as submitted forever', async () => {
    const opened = await open()
    await step(host, opened, 0, anna)
    const { analyse } = host.analysis
    host.analysis.analyse = () => Promise.reject(new Error('the worker is gone'))
    expect(await problemOf(submit(host, opened, anna))).toBe('internal_error')
    host.analysis.analyse = analyse
    const { state, current } = await find(opened)
    expect(state).toBe('Started')
    const { action } = current as { action: 'blink' }
    expect(await step(host, opened, 1, { ...anna, acted: action })).toMatchObject({ accepted: true })
    expect((await submit(host, opened, anna)).verificationResult).toBe('Pass')
  })
})
