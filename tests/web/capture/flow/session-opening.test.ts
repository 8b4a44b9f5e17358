import { describe, expect, test, vi } from 'vitest'
import { Problem } from '#shared/problem.ts'
import { mayOpenYet, openLink } from '#web/capture/flow/session-opening.ts'
import type { SessionClient } from '#web/capture/sending/submit.ts'
import { steadyNow } from '#web/ui/steady-now.ts'
import { plan } from '../../support/plan.ts'

const { theme } = plan
const openingId = { read: () => 'a'.repeat(22), drop: () => undefined, isKept: () => false }
const noSecrets = { of: async () => undefined, isKept: async () => false }
const signed = { kind: 'signed', verificationId: 'v', queryString: 'a=1' } as const

const serverTime = () => Date.now()
const waiting = { onChecking: () => {}, ended: new AbortController().signal }

function open(
  answers: Partial<SessionClient>,
  link: Parameters<typeof openLink>[0]['link'],
  options: Partial<Parameters<typeof openLink>[0]> = {},
) {
  const client = { serverTime, ...answers }
  const secrets = { openingId, resumeSecrets: noSecrets, begins: true }
  return openLink({
    client: client as SessionClient,
    link,
    path: '/',
    ...secrets,
    known: undefined,
    waiting,
    ...options,
  })
}

test.each([
  ['signature_invalid', 'wrong'],
  ['link_expired', 'gone'],
  ['link_already_used', 'gone'],
  ['too_many_requests', 'tooMany'],
] as const)('a link that is refused with %s knows its sender', async (code, problem) => {
  const refuse = () => Promise.reject(new Problem(code, 'refused', { members: { theme } }))
  expect((await open({ open: refuse }, signed)).event).toEqual({
    type: 'notOpened',
    problem,
    asker: { theme },
  })
})

const limited = (retryAfterInSeconds: number) =>
  new Problem('too_many_requests', 'refused', { retryAfterInSeconds })

test('a limit that resets within a minute is waited for, like an unreachable server', async () => {
  const refuse = () => Promise.reject(limited(42))
  const { event } = await open({ open: refuse }, signed)
  expect(event).toEqual({ type: 'notOpened', problem: 'unreachable', waitInMilliseconds: 42_000 })
})

test('a proxy that refuses is no word about the link', async () => {
  const refuse = () => Promise.reject(new Problem('forbidden', 'refused', { isForeign: true }))
  expect((await open({ open: refuse }, signed)).event).toEqual({ type: 'notOpened', problem: 'unreachable' })
})

test('one that takes longer is reported, with the time of the next try', async () => {
  const refuse = () => Promise.reject(limited(3600))
  const { event } = await open({ open: refuse }, signed)
  expect(event).toEqual({ type: 'notOpened', problem: 'tooMany', nextTryAt: expect.any(Number) })
  const wait = (event as { nextTryAt: number }).nextTryAt - steadyNow()
  expect(Math.round(wait / 60_000)).toBe(60)
})

test.each([
  ['a limit of a minute', limited(60), true],
  ['a limit of an hour', limited(3600), true],
  ['a proxy that refuses', new Problem('forbidden', 'refused', { status: 403 }), true],
  ['a proxy that times out', new Problem('internal_error', 'refused', { status: 408 }), true],
  ['a network that is gone', new TypeError('failed'), true],
  ['a used link', new Problem('link_already_used', 'refused'), false],
] as const)('after %s the link may still open, so its address stays', async (_what, error, stays) => {
  const { event } = await open({ open: () => Promise.reject(error) }, signed)
  expect(mayOpenYet(event)).toBe(stays)
})

test('an unknown link has no sender', async () => {
  const refuse = () => Promise.reject(new Problem('not_found', 'refused'))
  expect((await open({ open: refuse }, signed)).event).toEqual({ type: 'notOpened', problem: 'wrong' })
})

test('an expired session knows its sender', async () => {
  const find = async () =>
    ({ state: 'Expired', capturePlan: plan, handoff: null }) as unknown as Awaited<
      ReturnType<SessionClient['find']>
    >
  const link = { kind: 'session', sessionId: 's', token: 't' } as const
  expect((await open({ find }, link)).event).toEqual({ type: 'notOpened', problem: 'gone', asker: { theme } })
})

type Session = Awaited<ReturnType<SessionClient['open']>>

test.each([
  ['begins where this browser never opened it', false, 'fresh'],
  ['goes on where this browser had opened it before', true, 'step'],
] as const)('a link %s', async (_what, wasKept, progress) => {
  const asked: unknown[] = []
  const resumeSecrets = {
    of: async () => ({ value: 's'.repeat(43), wasKept, renew: () => asked.push('renewed') }),
    isKept: async () => wasKept,
  }
  const client = {
    serverTime,
    startOver: async (_token: string, step: number) => void asked.push({ startedOver: step }),
    open: async (body: unknown) => {
      asked.push(body)
      const expirationUtcTime = '2026-11-24T09:30:00.000Z'
      return {
        verificationSessionId: 's',
        sessionToken: 't',
        expirationUtcTime,
        capturePlan: plan,
      } as unknown as Session
    },
    find: async () =>
      ({
        state: 'Started',
        capturePlan: plan,
        expirationUtcTime: '2026-11-24T09:30:00.000Z',
        current: { step: 1, action: 'blink', timeLimitInSeconds: 8 },
        handoff: { isHeldHere: true, number: null, actionsDone: 0 },
      }) as unknown as Awaited<ReturnType<SessionClient['find']>>,
  }
  const secrets = { openingId, resumeSecrets, begins: true }
  const options = { link: signed, path: '/', ...secrets, known: undefined, waiting }
  const opening = await openLink({ client: client as unknown as SessionClient, ...options })
  expect(opening.event).toMatchObject({ type: 'opened', progress: { kind: progress } })
  const secret = expect.objectContaining({ resumeSecret: 's'.repeat(43) })
  // The pictures that the page sent for its step before the reload use a different camera's times.
  expect(asked).toEqual([secret, 'renewed', ...(progress === 'step' ? [{ startedOver: 1 }] : [])])
})

describe('a link before the person acts', () => {
  const read = (state: string, capturePlan: object | null) =>
    (async () => ({ state, theme, capturePlan })) as unknown as SessionClient['read']
  const never = () => Promise.reject(new Error('nothing is to be opened'))

  test('is only read, and its address stays', async () => {
    const answers = { read: read('Valid', plan), open: never }
    const { event, record } = await open(answers, signed, { begins: false })
    expect(event).toMatchObject({ type: 'opened', plan, isBegun: false, expiresAt: null })
    expect([record, mayOpenYet(event)]).toEqual([undefined, true])
  })

  test.each(['Expired', 'NonceAlreadyUsed'])('%s leads nowhere, and names its sender', async (state) => {
    const answers = { read: read(state, null), open: never }
    const { event } = await open(answers, signed, { begins: false })
    expect(event).toEqual({ type: 'notOpened', problem: 'gone', asker: { theme } })
  })

  test.each([
    ['an answer that was lost', { openingId: { ...openingId, isKept: () => true } }],
    ['its secret', { resumeSecrets: { ...noSecrets, isKept: async () => true } }],
  ])('is opened again by a browser that has %s', async (_what, kept) => {
    const opening = vi.fn(never)
    await open({ read: read('NonceAlreadyUsed', null), open: opening }, signed, { begins: false, ...kept })
    expect(opening).toHaveBeenCalledTimes(1)
  })
})

const sessionLink = { kind: 'session', sessionId: 's', token: 't' } as const
type Found = Awaited<ReturnType<SessionClient['find']>>
const judged = (state: Found['state'], more = {}) =>
  ({
    state,
    capturePlan: plan,
    expirationUtcTime: new Date(Date.now() + 60_000).toJSON(),
    current: null,
    redirectUrl: null,
    handoff: null,
    ...more,
  }) as unknown as Found

test.each([
  ['leads back', { state: 'Completed', redirectUrl: 'https://a.example/' }, 'notOpened'],
  ['is offered another try', { state: 'Created', retry: { attemptsLeft: 1 }, try: 2 }, 'opened'],
] as const)('a session in judgement is waited for, and %s', async (_what, { state, ...more }, type) => {
  vi.useFakeTimers()
  const onChecking = vi.fn()
  const answers = [judged('Submitted'), judged('Submitted'), judged(state, more)]
  const find = vi.fn(async () => answers.shift()!)
  const opening = open({ find }, sessionLink, { waiting: { ...waiting, onChecking } })
  await vi.advanceTimersByTimeAsync(2500)
  const { retry, redirectUrl } = more as { retry?: object; redirectUrl?: string }
  expect((await opening).event).toMatchObject({
    type,
    ...(retry ? { furtherTry: retry } : { redirectUrl }),
  })
  expect(onChecking).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})

test('the wait ends when a person would give up, or its time is over', async () => {
  vi.useFakeTimers()
  const find = vi.fn(async () => judged('Submitted'))
  const over = AbortSignal.abort()
  const left = await open({ find }, sessionLink, { waiting: { ...waiting, ended: over } })
  expect(left.event).toMatchObject({ problem: 'finished' })
  expect(find).toHaveBeenCalledTimes(1)
  const opening = open({ find }, sessionLink)
  await vi.advanceTimersByTimeAsync(62_000)
  expect((await opening).event).toMatchObject({ problem: 'finished' })
  vi.useRealTimers()
})

const challenged = { ...plan, challenge: { type: 'Balanced', actionCount: 1 } } as const
const soFar = { actionsDone: 1, frames: 8, trail: 42 }

test('a restored session counts on from the server’s number, even in a new tab', async () => {
  const { event, filmed } = await open({ find: async () => judged('Started', { soFar }) }, sessionLink)
  expect(event).toMatchObject({ type: 'opened', accepted: 1, framesSent: 8 })
  expect(filmed).toBe(42)
})

test('one with all actions performed only waits for the last pictures', async () => {
  const done = judged('Started', { soFar, capturePlan: challenged, current: null })
  const { event } = await open({ find: async () => done }, sessionLink)
  expect(event).toMatchObject({ type: 'opened', progress: { kind: 'closing' } })
})

const known = { path: '/', sessionId: 's', token: 't', consented: true, plan, expiresAt: null }

test.each([
  ['unauthenticated', 'gone'],
  ['not_found', 'gone'],
  ['session_expired', 'gone'],
  ['forbidden', 'wrong'],
  ['invalid_request', 'wrong'],
] as const)('a reload that is refused with %s shows it, and requests nothing more', async (code, problem) => {
  const refuse = () => Promise.reject(new Problem(code, 'refused'))
  const { event } = await open({ find: refuse }, sessionLink, { known })
  expect(event).toEqual({ type: 'notOpened', problem })
})

test('a reload after another tab has opened the link again says so', async () => {
  const refuse = () => Promise.reject(new Problem('session_token_ended', 'refused'))
  const { event } = await open({ find: refuse }, sessionLink, { known })
  expect(event).toEqual({ type: 'elsewhere', handoff: null })
})

test.each([
  ['a network that is gone', new TypeError('failed')],
  ['a server that fails', new Problem('internal_error', 'failed')],
  ['a limit', limited(5)],
] as const)('a reload with %s waits', async (_what, error) => {
  const { event } = await open({ find: () => Promise.reject(error) }, sessionLink, { known })
  expect(event).toMatchObject({ type: 'cutOff' })
})
