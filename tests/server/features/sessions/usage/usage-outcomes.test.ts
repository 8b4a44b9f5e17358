import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  getSession,
  initRedirectSession,
  submitSession,
  submitStep,
} from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { milestones } from '#shared/contract/sessions/session-ending.ts'
import { cancelSession, getSessions } from '#shared/contract/sessions/session-list.ts'
import { getUsage, type UsageCounts } from '#shared/contract/sessions/session-usage.ts'
import { frameOf } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { consent, newVerification, openSession, signedQuery, submit } from '../../../../support/visit.ts'

const day = 24 * 3600_000
const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36'
const desk = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

let host: Host
let verificationId: string
beforeEach(async () => {
  host = await startHost()
  host.pass(day - (host.now() % day) + 1000)
  verificationId = await newVerification(host, { verifierConfigs: { gender: { type: 'CalculationOnly' } } })
})
afterEach(() => host.close())

const at = (milliseconds: number) => new Date(milliseconds).toISOString()
const range = () => ({ from: at(host.now() - 1), to: at(host.now() + 1), interval: 'day' as const })
const usage = (more: object = {}) => host.call(getUsage, { query: { ...range(), ...more } })
const listed = async (query: object) =>
  (await host.call(getSessions, { query: query as never })).sessions.map((one) => one.verificationSessionId)

/** Posts the way a page does in a browser with this user agent. */
async function from(
  userAgent: string,
  endpoint: { path: string; method: string },
  bearer: string,
  body?: object,
) {
  const answer = await host.fetch(endpoint.path, {
    method: endpoint.method,
    headers: {
      'User-Agent': userAgent,
      'Content-Type': 'application/json',
      ...(bearer !== '' && { Authorization: `Bearer ${bearer}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { sessionToken: string; verificationSessionId: string }
}

async function openOn(userAgent: string) {
  const queryString = await signedQuery(host, '')
  const opened = await from(userAgent, initRedirectSession, '', { verificationId, queryString })
  return { ...opened, bearer: opened.sessionToken }
}

const pictures = (person: string | null) => ({
  frames: [{ ...frameOf({ person }), challengeStep: 0 }],
  consent,
})
const noPictures = (more: object = {}) => ({ frames: [], consent, ...more })

function expectFunnel({ states, outcomes }: Pick<UsageCounts, 'states' | 'outcomes'>): void {
  const steps = [states.opened, states.consented, states.firstPicture, states.submitted]
  expect([...steps, outcomes.passed + outcomes.failed]).toEqual(
    [...steps, outcomes.passed + outcomes.failed].sort((a, b) => b - a),
  )
}

describe('outcomes of visits', () => {
  test('count declined, cameraless, closed and cancelled ones as left, not as failed', async () => {
    const passed = await openSession(host, verificationId)
    await submit(host, passed, { person: 'anna' })
    const failed = await openSession(host, verificationId)
    await submit(host, failed, { person: null })
    const declined = await openSession(host, verificationId)
    const body = { frames: [], consent: { ...consent, given: false } }
    await host.call(submitSession, { bearer: declined.bearer, body })
    const blind = await openSession(host, verificationId)
    await host.call(submitSession, {
      bearer: blind.bearer,
      body: { frames: [], consent, problem: 'cameraUnavailable' },
    })
    const cancelled = await openSession(host, verificationId)
    await host.call(cancelSession, { body: { verificationSessionId: cancelled.verificationSessionId } })
    await openSession(host, verificationId)

    const { outcomes, intervals } = await usage()
    expect(outcomes).toEqual({ passed: 1, failed: 1, left: 3, expired: 0 })
    expect(intervals[0]).toMatchObject({
      states: { opened: 6, consented: 3, firstPicture: 2, submitted: 2 },
      results: { Pass: 1, Fail: 4 },
      outcomes: { passed: 1, failed: 1, left: 3, expired: 0 },
    })
    expectFunnel(intervals[0]!)
    expect(await listed({ outcome: 'passed' })).toEqual([passed.verificationSessionId])
    expect(await listed({ outcome: 'failed' })).toEqual([failed.verificationSessionId])
    expect(new Set(await listed({ outcome: 'left' }))).toEqual(
      new Set([declined, blind, cancelled].map((one) => one.verificationSessionId)),
    )
  })

  test('count what ended after a picture was judged apart from what was left before one', async () => {
    const alternativeConfig = { url: 'https://example.com/desk' }
    const id = await newVerification(host, {
      verifierConfigs: { gender: { type: 'CalculationOnly' } },
      alternativeConfig,
    })
    const seen = async () => {
      const { verificationSessionId, bearer } = await openSession(host, id)
      await host.call(submitStep, { bearer, body: { step: 0, frames: [frameOf({ person: 'anna' })] } })
      return { verificationSessionId, bearer }
    }
    const other = { frames: [], consent, problem: 'alternativeChosen' as const }
    const cancelled = await seen()
    await host.call(cancelSession, { body: { verificationSessionId: cancelled.verificationSessionId } })
    const elsewhere = await seen()
    await host.call(submitSession, { bearer: elsewhere.bearer, body: other })
    const unseen = await openSession(host, id)
    await host.call(submitSession, { bearer: unseen.bearer, body: other })
    const open = await seen()

    const { outcomes, intervals, durations } = await usage()
    expect(outcomes).toEqual({ passed: 0, failed: 1, left: 1, expired: 1 })
    expect(durations.p50).not.toBeNull()
    expectFunnel(intervals[0]!)
    const { sessions } = await host.call(getSessions, { query: {} })
    const byId = new Map(sessions.map((one) => [one.verificationSessionId, one.outcome]))
    expect([cancelled, elsewhere, unseen, open].map((one) => byId.get(one.verificationSessionId))).toEqual([
      'expired',
      'failed',
      'left',
      'open',
    ])
    for (const [outcome, one] of [
      ['expired', cancelled],
      ['failed', elsewhere],
      ['left', unseen],
      ['open', open],
    ] as const)
      expect(await listed({ outcome })).toEqual([one.verificationSessionId])
  })

  test('have a duration only if pictures were judged', async () => {
    const declined = await openSession(host, verificationId)
    host.pass(60_000)
    const body = { frames: [], consent: { ...consent, given: false } }
    await host.call(submitSession, { bearer: declined.bearer, body })
    expect((await usage()).durations.p50).toBeNull()
  })

  test('count a visit over midnight entirely on the day on which it was opened', async () => {
    host.pass(day - 10_000)
    const opened = await openSession(host, verificationId)
    host.pass(20_000)
    await submit(host, opened, { person: 'anna' })
    const { intervals } = await usage({ from: at(host.now() - day) })
    expect(
      intervals.map(({ states, outcomes }) => [states.opened, states.submitted, outcomes.passed]),
    ).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ])
  })

  test('have durations as percentiles of the range, and not medians of medians', async () => {
    const visit = async (seconds: number) => {
      const opened = await openSession(host, verificationId)
      host.pass(seconds * 1000)
      await submit(host, opened, { person: 'anna' })
    }
    for (const seconds of [10, 10, 10, 10]) await visit(seconds)
    host.pass(day)
    await visit(100)
    const { durations, intervals } = await usage({ from: at(host.now() - day) })
    expect(intervals.map((one) => one.durations.p50)).toEqual([10, 100])
    expect(durations.p50).toBe(10)
    expect(durations.p90).toBeCloseTo(64)
    expect(durations.p95).toBeCloseTo(82)
    expect((await usage({ verificationId: 'unknown' })).durations).toEqual({
      p50: null,
      p90: null,
      p95: null,
    })
  })
})

describe('the devices and browsers of visits', () => {
  test('can be split and filtered with source and verification, in the list too', async () => {
    const onPhone = await openOn(phone)
    await from(phone, submitSession, onPhone.bearer, pictures('anna'))
    const onDesk = await openOn(desk)
    await from(desk, submitSession, onDesk.bearer, noPictures({ problem: 'cameraUnavailable' }))
    const byProgram = await openSession(host, verificationId)

    expect((await usage({ splitBy: 'device' })).groups).toMatchObject([
      {
        value: 'desk',
        states: { opened: 1, submitted: 0 },
        outcomes: { passed: 0, failed: 0, left: 1, expired: 0 },
      },
      {
        value: 'phone',
        states: { opened: 1, submitted: 1 },
        outcomes: { passed: 1, failed: 0, left: 0, expired: 0 },
      },
      { value: null, states: { opened: 1 }, outcomes: { passed: 0, failed: 0, left: 0, expired: 0 } },
    ])
    expect((await usage({ splitBy: 'browser' })).groups!.map(({ value }) => value)).toEqual([
      'chromium',
      'firefox',
      null,
    ])
    expect((await usage({ splitBy: 'verification' })).groups).toMatchObject([
      { value: verificationId, states: { opened: 3 } },
    ])
    expect((await usage({ splitBy: 'source' })).groups).toMatchObject([
      { value: 'link', states: { opened: 3 } },
    ])
    expect((await usage({ device: 'phone' })).outcomes).toEqual({ passed: 1, failed: 0, left: 0, expired: 0 })
    expect((await usage({ device: 'phone', browser: 'firefox' })).intervals[0]!.states.opened).toBe(0)
    expect((await usage({ browser: 'firefox' })).intervals[0]!.reasons.cameraUnavailable).toBe(1)
    expect((await usage({ source: 'kiosk' })).intervals[0]!.states.opened).toBe(0)
    expect((await usage()).groups).toBeUndefined()

    expect(await listed({ device: 'phone' })).toEqual([onPhone.verificationSessionId])
    expect(await listed({ browser: 'firefox' })).toEqual([onDesk.verificationSessionId])
    const { sessions } = await host.call(getSessions, { query: {} })
    expect(sessions.map(({ device, browser }) => [device, browser])).toEqual([
      [undefined, undefined],
      ['desk', 'firefox'],
      ['phone', 'chromium'],
    ])
    expect(byProgram.verificationSessionId).toBe(sessions[0]!.verificationSessionId)
  })

  test('are those of the page for a session of the API, and move with the visit', async () => {
    const verifierConfigs = { gender: { type: 'CalculationOnly' as const } }
    const { sessionToken: bearer } = await host.call(createSession, { body: { verifierConfigs } })
    expect((await usage({ splitBy: 'device' })).groups).toMatchObject([
      { value: null, states: { opened: 1 } },
    ])
    await from(desk, getSession, bearer)
    expect((await usage({ device: 'desk' })).intervals[0]!.states.opened).toBe(1)
    await from(phone, submitStep, bearer, { step: 0, frames: [frameOf({ person: 'anna' })] })
    const { groups } = await usage({ splitBy: 'device' })
    expect(groups!.map(({ value, states }) => [value, states.opened, states.firstPicture])).toEqual([
      ['phone', 1, 1],
      ['desk', 0, 0],
      [null, 0, 0],
    ])
    await from(desk, submitSession, bearer, pictures('anna'))
    const { intervals } = await usage({ device: 'desk' })
    expect(intervals[0]).toMatchObject({ states: { opened: 1, submitted: 1 }, outcomes: { passed: 1 } })
    expect((await usage({ device: 'phone' })).outcomes).toEqual({ passed: 0, failed: 0, left: 0, expired: 0 })
  })

  test('no step of the funnel is wider than the one before, with any filter', async () => {
    for (const userAgent of [phone, desk]) {
      const one = await openOn(userAgent)
      await from(userAgent, submitSession, one.bearer, noPictures({ consent: { ...consent, given: false } }))
      const two = await openOn(userAgent)
      await from(userAgent === phone ? desk : phone, submitSession, two.bearer, pictures(null))
      await openOn(userAgent)
    }
    for (const more of [
      {},
      { device: 'phone' },
      { device: 'desk' },
      { browser: 'chromium' },
      { source: 'link' },
    ]) {
      const { intervals } = await usage(more)
      expectFunnel(intervals[0]!)
      expect(intervals[0]!.states.opened).toBeGreaterThan(0)
    }
  })

  test('the list has the sessions that a step counts, whatever it listed before', async () => {
    const counted = async () => {
      const { states } = (await usage()).intervals[0]!
      return [states.consented, states.firstPicture, states.submitted]
    }
    const found = () =>
      Promise.all(milestones.map(async (reached) => (await listed({ reached, limit: 100 })).length))
    await openOn(phone)
    const declines = await openOn(phone)
    const passes = await openOn(phone)
    expect(await found()).toEqual([0, 0, 0])
    await from(phone, submitSession, declines.bearer, noPictures({ consent: { ...consent, given: false } }))
    await from(desk, submitSession, passes.bearer, pictures('anna'))
    expect(await found()).toEqual([1, 1, 1])
    expect(await found()).toEqual(await counted())
    expect(await listed({ reached: 'submitted', device: 'desk' })).toEqual([passes.verificationSessionId])
    await expect(listed({ reached: 'opened' })).rejects.toMatchObject({
      errors: [{ pointer: '#/query/reached' }],
    })
  })

  test('an unknown device, browser, source or split is refused', async () => {
    for (const name of ['device', 'browser', 'source', 'splitBy'])
      await expect(usage({ [name]: 'fridge' })).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: `#/query/${name}` }],
      })
  })
})

describe('a search for sessions by the start of their id', () => {
  test('finds them with 4 to 12 digits', async () => {
    const { verificationSessionId: id } = await openSession(host, verificationId)
    await openSession(host, verificationId)
    for (const digits of [8, 12]) expect(await listed({ idBeginsWith: id.slice(0, digits) })).toEqual([id])
    expect(await listed({ idBeginsWith: id.slice(0, 4) })).toContain(id)
    const other = id.startsWith('0') ? `1${id.slice(1, 12)}` : `0${id.slice(1, 12)}`
    expect(await listed({ idBeginsWith: other })).toEqual([])
    for (const idBeginsWith of ['abc', 'abcdefabcdefa', 'xyzw', id.toUpperCase()])
      await expect(listed({ idBeginsWith })).rejects.toMatchObject({
        errors: [{ pointer: '#/query/idBeginsWith' }],
      })
  })
})
