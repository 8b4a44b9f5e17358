import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { submitSession } from '#shared/contract/sessions/session.ts'
import { cancelSession } from '#shared/contract/sessions/session-list.ts'
import { getSessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import { frameOf } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import {
  act,
  consent,
  newVerification,
  openSession,
  problemOf,
  step,
  submit,
} from '../../../../support/visit.ts'

const anna = { person: 'anna' }
const balanced = {
  verifierConfigs: { liveness: { type: 'Verification' as const, challengeType: 'Balanced' as const } },
}

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const timeline = (verificationSessionId: string, apiKey?: string) =>
  host.call(getSessionTimeline, { query: { verificationSessionId }, ...(apiKey && { apiKey }) })

describe('GET /v1/verification/get-session-timeline', () => {
  test('shows the progress of an open session', async () => {
    const opened = await openSession(host, await newVerification(host, balanced))
    const before = await timeline(opened.verificationSessionId)
    expect(before).toMatchObject({
      state: 'Created',
      reached: [],
      steps: [],
      tries: 0,
      endedAt: null,
      consent: null,
    })
    expect(Date.parse(before.expiresAt) - Date.parse(before.openedAt)).toBe(15 * 60_000)
    await step(host, opened, 0, anna)
    const { reached, reachedAt, steps } = await timeline(opened.verificationSessionId)
    expect(reached).toContain('firstPicture')
    const { answeredAt } = steps[0]!
    expect(reachedAt).toEqual({ consented: answeredAt, firstPicture: answeredAt, submitted: null })
    expect(steps).toMatchObject([{ step: 0, action: null, accepted: true, outcome: null }])
  })

  test('shows the requests of a completed one in order, and their outcomes', async () => {
    const opened = await openSession(host, await newVerification(host, balanced))
    const first = await step(host, opened, 0, anna)
    await act(host, opened, first.next!, anna)
    await submit(host, opened, anna)
    const told = await timeline(opened.verificationSessionId)
    expect(told).toMatchObject({
      state: 'Completed',
      reached: expect.arrayContaining(['consented', 'firstPicture', 'submitted']),
      consent: { given: true, wordingVersion: '1', locale: 'en' },
      steps: [{ step: 0 }, { step: 1, action: first.next!.action, accepted: true, outcome: 'performed' }],
      tries: 1,
      devicesTaken: 0,
    })
    const times = [
      told.openedAt,
      ...told.steps.flatMap(({ askedAt, answeredAt }) => [askedAt, answeredAt]),
      told.endedAt!,
    ].map((time) => Date.parse(time))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    const { consented, firstPicture, submitted } = told.reachedAt
    expect([consented, firstPicture]).toEqual([told.steps[0]!.answeredAt, told.steps[0]!.answeredAt])
    expect(Date.parse(submitted!)).toBeGreaterThanOrEqual(Date.parse(told.steps[1]!.answeredAt))
    expect(Date.parse(submitted!)).toBeLessThanOrEqual(Date.parse(told.endedAt!))
  })

  test('shows a wrong action, and the end of a cancelled one', async () => {
    const opened = await openSession(host, await newVerification(host, balanced))
    await step(host, opened, 0, anna)
    await step(host, opened, 1, anna)
    await host.call(cancelSession, { body: { verificationSessionId: opened.verificationSessionId } })
    const { state, steps, endedAt } = await timeline(opened.verificationSessionId)
    expect(steps[1]).toMatchObject({ step: 1, accepted: false, outcome: 'notPerformed' })
    expect({ state, ended: endedAt !== null }).toEqual({ state: 'Expired', ended: true })
  })

  test('shows every try in order, with the requests of each', async () => {
    const opened = await openSession(host, await newVerification(host, balanced))
    const send = (number: number) => {
      const frames = [{ ...frameOf(anna), challengeStep: 0 }]
      const body = { frames, consent, acceptsRetry: true, try: number }
      return host.call(submitSession, { bearer: opened.bearer, body })
    }
    const asked: unknown[] = []
    for (const number of [1, 2, 3]) {
      const { next } = await step(host, opened, 0, anna)
      asked.push(null, next!.action)
      host.pass(2000)
      await step(host, opened, 1, anna)
      await send(number)
      host.pass(2000)
    }
    const told = await timeline(opened.verificationSessionId)
    expect(told.state).toBe('Completed')
    expect(told.tries).toBe(3)
    expect(told.steps.map((one) => [one.try, one.step])).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
      [3, 0],
      [3, 1],
    ])
    expect(told.steps.map(({ action }) => action)).toEqual(asked)
    expect(told.triesBegunAt).toHaveLength(2)
    const [second, third] = told.triesBegunAt
    const order = [
      told.steps[1]!.answeredAt,
      second,
      told.steps[2]!.answeredAt,
      told.steps[3]!.answeredAt,
      third,
      told.steps[4]!.answeredAt,
    ]
    const times = order.map((time) => Date.parse(time!))
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  test('shows what was requested: a calculated value has no rule', async () => {
    const verifierConfigs = { ...balanced.verifierConfigs, age: { type: 'CalculationOnly' as const } }
    const opened = await openSession(host, await newVerification(host, { verifierConfigs }))
    const { asked, steps, triesBegunAt } = await timeline(opened.verificationSessionId)
    expect(asked).toEqual({
      liveness: 'Verification',
      age: 'CalculationOnly',
      faceRecognition: 'Disabled',
      gender: 'Disabled',
      reference: 'Disabled',
    })
    expect([steps, triesBegunAt]).toEqual([[], []])
  })

  test('is 404 for another account', async () => {
    const opened = await openSession(host, await newVerification(host))
    const { apiKey } = await host.services.accounts.create('Other')
    expect(await problemOf(timeline(opened.verificationSessionId, apiKey))).toBe('not_found')
  })
})
