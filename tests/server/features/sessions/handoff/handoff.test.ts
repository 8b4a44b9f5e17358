import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { getSession, submitSession } from '#shared/contract/sessions/session.ts'
import { cancelHandoff, createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import {
  act,
  consent,
  newVerification,
  type Opened,
  openSession,
  problemOf,
  resultOf,
  step,
  submit,
} from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const anna = { person: 'anna' }
const config = {
  verifierConfigs: { liveness: { type: 'Verification' as const, challengeType: 'Balanced' as const } },
  redirectConfig: { passedUrl: 'https://shop.example/in', failedUrl: 'https://shop.example/out' },
  resultParameterConfig: { includeSignature: true, includeVerificationResult: true },
}

const open = async () => openSession(host, await newVerification(host, config))
const see = ({ bearer }: Opened) => host.call(getSession, { bearer })
const create = ({ bearer }: Opened) => host.call(createHandoff, { bearer })
const cancel = ({ bearer }: Opened) => host.call(cancelHandoff, { bearer })
const decline = ({ bearer }: Opened) =>
  host.call(submitSession, { bearer, body: { frames: [], consent: { ...consent, given: false } } })

async function take(code: string) {
  const taken = await host.call(takeHandoff, { body: { code } })
  return { ...taken, bearer: taken.sessionToken }
}

/** A session that a phone took over from a desktop. */
async function handOver() {
  const desk = await open()
  return { desk, phone: await take((await create(desk)).code) }
}

/** Completes the whole session on one device. Returns the answer to submit-session. */
async function finish(device: Opened) {
  let { next } = await step(host, device, 0, anna)
  while (next !== null) next = (await act(host, device, next, anna)).next
  return submit(host, device, anna)
}

describe('POST /v1/verification/create-handoff', () => {
  test('returns a code, the page that takes it in its fragment, and three minutes', async () => {
    const { code, url, expirationUtcTime } = await create(await open())
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(url).toBe(`${host.origin}/handoff#${code.replace('-', '')}`)
    expect(Math.round((Date.parse(expirationUtcTime) - host.now()) / 1000)).toBe(180)
  })

  test('does not move the session yet', async () => {
    const desk = await open()
    await create(desk)
    expect((await see(desk)).handoff).toBeNull()
    expect((await finish(desk)).verificationResult).toBe('Pass')
  })

  test('invalidates the previous code', async () => {
    const desk = await open()
    const { code: former } = await create(desk)
    const { code } = await create(desk)
    expect(await problemOf(take(former))).toBe('handoff_expired')
    expect((await take(code)).verificationSessionId).toBe(desk.verificationSessionId)
  })

  test('is refused once a picture was submitted, and once the session is closed', async () => {
    const desk = await open()
    await step(host, desk, 0, anna)
    expect(await problemOf(create(desk))).toBe('session_begun')
    await decline(desk)
    expect(await problemOf(create(desk))).toBe('session_closed')
  })

  test('is only for the device that opened the session', async () => {
    const { phone } = await handOver()
    expect(await problemOf(create(phone))).toBe('forbidden')
  })
})

describe('POST /v1/verification/take-handoff', () => {
  test('returns the same session with a new token, the plan, and two digits', async () => {
    const { desk, phone } = await handOver()
    expect(phone.verificationSessionId).toBe(desk.verificationSessionId)
    expect(phone.expirationUtcTime).toBe(desk.expirationUtcTime)
    expect(phone.capturePlan).toEqual(desk.capturePlan)
    expect(phone.sessionToken).not.toBe(desk.sessionToken)
    expect(phone.number).toMatch(/^[1-9]\d$/)
  })

  test('shows the same two digits to both devices, and which one holds the session', async () => {
    const { desk, phone } = await handOver()
    const { number } = phone
    expect((await see(phone)).handoff).toEqual({ isHeldHere: true, number, actionsDone: 0 })
    expect((await see(desk)).handoff).toEqual({ isHeldHere: false, number, actionsDone: 0 })
  })

  test.each([
    ['typed small', (code: string) => code.toLowerCase()],
    ['without its hyphen', (code: string) => code.replace('-', '')],
    ['with gaps', (code: string) => ` ${code.replace('-', ' ')} `],
    ['with look-alikes', (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l')],
  ])('accepts a code %s', async (_how, typed) => {
    const desk = await open()
    const { code } = await create(desk)
    expect((await take(typed(code))).verificationSessionId).toBe(desk.verificationSessionId)
  })

  test('lets only the phone submit, while the desktop follows to the end', async () => {
    const { desk, phone } = await handOver()
    expect(await problemOf(step(host, desk, 0, anna))).toBe('session_handed_over')
    expect(await problemOf(submit(host, desk, anna))).toBe('session_handed_over')
    expect(await problemOf(decline(desk))).toBe('session_handed_over')
    const { next } = await step(host, phone, 0, anna)
    expect(await see(desk)).toMatchObject({ state: 'Started', current: null, redirectUrl: null })
    expect((await see(phone)).current).toMatchObject({ step: 1, action: next!.action })
    await act(host, phone, next!, anna)
    expect((await see(desk)).handoff).toMatchObject({ actionsDone: 1 })
    await submit(host, phone, anna)
    expect(await see(desk)).toMatchObject({ state: 'Completed', verificationResult: 'Pass' })
    expect((await resultOf(host, desk)).verificationResult).toBe('Pass')
  })

  test('gives the signed return address to the desktop, and never to the phone', async () => {
    const { desk, phone } = await handOver()
    expect(await finish(phone)).toEqual({ verificationResult: 'Pass', redirectUrl: null })
    expect(await see(phone)).toMatchObject({ state: 'Completed', redirectUrl: null })
    const { redirectUrl } = await see(desk)
    expect(redirectUrl).toMatch(
      /^https:\/\/shop\.example\/in\?reVerificationResult=passed&reVerificationId=[0-9a-f-]+&reCompletedAt=\d+&reResultId=[0-9a-f]{32}&reSignature=[0-9a-f]{64}$/,
    )
    expect(await submit(host, desk, anna)).toEqual({ verificationResult: 'Pass', redirectUrl })
  })

  test('is possible again with a new code, and then the first phone is out', async () => {
    const { desk, phone } = await handOver()
    const other = await take((await create(desk)).code)
    expect(await problemOf(step(host, phone, 0, anna))).toBe('session_handed_over')
    expect((await see(phone)).handoff).toEqual({ isHeldHere: false, number: null, actionsDone: 0 })
    expect((await finish(other)).verificationResult).toBe('Pass')
    expect(await see(phone)).toMatchObject({ verificationResult: null, redirectUrl: null })
    expect(await problemOf(submit(host, phone, anna))).toBe('session_handed_over')
  })

  test('is in the audit log, without the code', async () => {
    const desk = await open()
    const { code } = await create(desk)
    await take(code)
    const { entries } = await host.call(getAuditLog, { query: { limit: 2 } })
    expect(entries.map(({ operation, actor }) => [operation, actor.kind])).toEqual([
      ['takeHandoff', 'session'],
      ['createHandoff', 'session'],
    ])
    expect(entries[0]!.resources.session).toBe(entries[1]!.resources.session)
    expect(entries[0]!.resources.session).toMatch(/./)
    expect(JSON.stringify(entries)).not.toContain(code.slice(0, 5))
  })
})

describe('POST /v1/verification/cancel-handoff', () => {
  test('takes the session back: the desktop can submit, and the phone no longer', async () => {
    const { desk, phone } = await handOver()
    await cancel(desk)
    await cancel(desk)
    expect((await see(desk)).handoff).toMatchObject({ isHeldHere: true, number: null })
    expect(await problemOf(step(host, phone, 0, anna))).toBe('session_handed_over')
    expect((await finish(desk)).redirectUrl).toMatch(/^https:\/\/shop\.example\/in/)
  })

  test('gives the session back from the phone', async () => {
    const { desk, phone } = await handOver()
    await cancel(phone)
    expect((await see(desk)).handoff).toMatchObject({ isHeldHere: true })
    expect(await problemOf(decline(phone))).toBe('session_handed_over')
    expect(await problemOf(cancel(phone))).toBe('session_handed_over')
  })

  test('invalidates an unused code', async () => {
    const desk = await open()
    const { code } = await create(desk)
    await cancel(desk)
    expect(await problemOf(take(code))).toBe('handoff_expired')
  })

  test('ends a check that the phone began, and there is no other way back', async () => {
    const { desk, phone } = await handOver()
    await step(host, phone, 0, anna)
    await cancel(desk)
    expect(await problemOf(create(desk))).toBe('session_begun')
    await decline(desk)
    expect((await resultOf(host, desk)).verificationFailedReasons).toEqual(['consentDeclined'])
    expect(await problemOf(cancel(desk))).toBe('session_closed')
  })

  test('changes nothing for a session that was never handed over', async () => {
    const desk = await open()
    expect(await cancel(desk)).toEqual({})
    expect((await see(desk)).handoff).toBeNull()
  })
})

test('a frame of the desktop that arrives with the phone’s is not judged', async () => {
  const { desk, phone } = await handOver()
  const both = await Promise.allSettled([step(host, phone, 0, anna), step(host, desk, 0, anna)])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect((await see(phone)).current).toMatchObject({ step: 1 })
})
