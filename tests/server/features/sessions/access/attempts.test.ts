import { afterEach, describe, expect, test } from 'vitest'
import { attemptKeys, createAttempts } from '#server/features/sessions/access/attempts.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { initRedirectSession, submitSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { consent, newVerification, problemOf, signedQuery, step, submit } from '../../../../support/visit.ts'

const limit = 5
const hour = 3600_000
const faceless = { person: null }
const config: VerificationConfig = { securityConfig: { forceSignedInput: false } }

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

async function start(options: Parameters<typeof startHost>[0] = {}): Promise<Host> {
  const host = await startHost({ ...options, ports: { attemptLimit: limit, ...options.ports } })
  hosts.push(host)
  return host
}

const open = (host: Host, verificationId: string, queryString: string) =>
  host.call(initRedirectSession, { body: { verificationId, queryString } })

async function fail(host: Host, verificationId: string, queryString: string, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    const opened = await open(host, verificationId, queryString)
    await submit(host, { ...opened, bearer: opened.sessionToken }, faceless)
  }
}

describe('failed sessions', () => {
  test('may be five in an hour; the sixth is answered 429 with the time to wait', async () => {
    const host = await start()
    const verificationId = await newVerification(host, config)
    await fail(host, verificationId, '', limit)
    await expect(open(host, verificationId, '')).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterInSeconds: expect.closeTo(3600, -2),
    })
    host.pass(hour)
    await open(host, verificationId, '')
  })

  test.each([
    ['init-redirect-session', (verificationId: string) => ({ verificationId, queryString: '' })],
    ['create-session', (verificationId: string) => ({ verificationId, externalId: 'anna' })],
  ])('beyond the limit are refused with the limit named: %s', async (name, bodyOf) => {
    const host = await start({ limits: { requests: 1000, inits: 1000 } })
    const verificationId = await newVerification(host, config)
    for (let i = 0; i < limit; i++) {
      const query = { body: { verificationId, externalId: 'anna' } }
      const opened = await (name === 'create-session'
        ? host.call(createSession, query)
        : open(host, verificationId, ''))
      await submit(host, { ...opened, bearer: opened.sessionToken }, faceless)
    }
    const answer = await host.fetch(`/v1/verification/${name}`, {
      method: 'POST',
      headers: { Authorization: `ApiKey ${host.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(bodyOf(verificationId)),
    })
    expect(answer.status).toBe(429)
    const seconds = answer.headers.get('retry-after')
    expect(Number(seconds)).toBeGreaterThan(3500)
    expect(answer.headers.get('ratelimit')).toBe(`"attempts";r=0;t=${seconds}`)
    expect(answer.headers.get('ratelimit-policy')).toBe(`"attempts";q=${limit};w=3600`)
  })

  test('are counted for the address, whatever the link', async () => {
    const host = await start()
    const [one, other] = [await newVerification(host, config), await newVerification(host, config)]
    await fail(host, one, 'a=1', 3)
    await fail(host, other, 'a=2', 2)
    expect(await problemOf(open(host, other, 'a=3'))).toBe('too_many_requests')
  })

  test('of one account count for no other, even at the same address', async () => {
    const host = await start()
    await fail(host, await newVerification(host, config), '', limit)
    const { apiKey } = await host.services.accounts.create('Another account')
    const body = { name: 'theirs', verificationConfig: config }
    const { verificationId } = await host.call(createVerification, { body, apiKey })
    expect(await problemOf(open(host, verificationId, ''))).toBe('no problem')
  })

  test('block the next opening, never a visit in progress', async () => {
    const host = await start()
    const verificationId = await newVerification(host, config)
    const opened = await open(host, verificationId, '')
    await fail(host, verificationId, '', limit)
    const { verificationResult } = await submit(host, { ...opened, bearer: opened.sessionToken }, faceless)
    expect(verificationResult).toBe('Fail')
  })

  test('are counted across processes', async () => {
    const store = createMemoryStore()
    const [one, other] = [await start({ store }), await start({ store })]
    const verificationId = await newVerification(one, config)
    await fail(one, verificationId, '', 3)
    await fail(other, verificationId, '', 2)
    expect(await problemOf(open(one, verificationId, ''))).toBe('too_many_requests')
  })

  test('leave a one-time link unused', async () => {
    const host = await start()
    const verificationId = await newVerification(host)
    await fail(host, verificationId, await signedQuery(host, ''), limit)
    const link = await signedQuery(host, '', { enableNonce: true, expirationInSeconds: 7200 })
    expect(await problemOf(open(host, verificationId, link))).toBe('too_many_requests')
    host.pass(hour)
    expect(await problemOf(open(host, verificationId, link))).toBe('no problem')
  })

  test('are not counted without a limit', async () => {
    const host = await start({ ports: { attemptLimit: undefined } })
    const verificationId = await newVerification(host, config)
    await fail(host, verificationId, '', limit + 1)
    expect(await problemOf(open(host, verificationId, ''))).toBe('no problem')
  })

  test('that passed do not count', async () => {
    const host = await start()
    const verificationId = await newVerification(host, config)
    for (let i = 0; i <= limit; i++) {
      const opened = await open(host, verificationId, '')
      await submit(host, { ...opened, bearer: opened.sessionToken }, { person: 'anna' })
    }
    expect(await problemOf(open(host, verificationId, ''))).toBe('no problem')
  })

  test.each([
    ['no camera', { problem: 'cameraUnavailable' as const }],
    ['no consent', { consent: { ...consent, given: false } }],
  ])('count when an action was shown before the person ended them, not before: %s', async (_name, ending) => {
    const host = await start()
    const live: VerificationConfig = { ...config, verifierConfigs: { liveness: { type: 'Verification' } } }
    const verificationId = await newVerification(host, live)
    const end = async (isShown: boolean) => {
      const opened = await open(host, verificationId, '')
      const bearer = opened.sessionToken
      if (isShown) await step(host, { ...opened, bearer }, 0, { person: 'anna' })
      await host.call(submitSession, { bearer, body: { frames: [], consent, ...ending } })
    }
    for (let i = 0; i <= limit; i++) await end(false)
    for (let i = 0; i < limit; i++) await end(true)
    expect(await problemOf(open(host, verificationId, ''))).toBe('too_many_requests')
  })

  test('count even if they were never submitted', async () => {
    const host = await start()
    const verificationId = await newVerification(host, config)
    for (let i = 0; i < limit; i++) await open(host, verificationId, '')
    host.pass(15 * 60_000)
    await host.services.expireOverdue()
    expect(await problemOf(open(host, verificationId, ''))).toBe('too_many_requests')
  })
})

test('failures are counted for the /64 of an IPv6 address, which one person has entirely', () => {
  const of = (address: string) => attemptKeys('a1', { externalId: null, address })
  expect(of('2001:db8:1:2:ffff::9')).toEqual(of('2001:db8:1:2::1'))
  expect(of('2001:db8:1:3::1')).not.toEqual(of('2001:db8:1:2::1'))
  expect(of('::ffff:192.0.2.1')).toEqual(of('192.0.2.1'))
  expect(of('192.0.2.2')).not.toEqual(of('192.0.2.1'))
})

describe('failed tries', () => {
  const keys = attemptKeys('a1', { link: 'l', externalId: 'e', address: '192.0.2.1' })

  test.each([
    ['the limit of the deployment', 5, null, 15],
    ['the limit of the account', 5, 2, 6],
    ['the highest limit', undefined, 1000, 3000],
  ] as const)(
    'may be three times the number of failed sessions: %s',
    async (_name, deployment, own, most) => {
      let now = 1_800_000_000_000
      const attempts = createAttempts(
        createMemoryStore(() => now),
        deployment,
        () => now,
      )
      for (let i = 1; i < most; i++) await attempts.noteTry(keys.slice(0, 1), own)
      await attempts.check(keys, own)
      await attempts.noteTry(keys.slice(0, 1), own)
      await expect(attempts.check(keys, own)).rejects.toMatchObject({ code: 'too_many_requests' })
      await attempts.check(keys.slice(1), own)
      now += hour
      await attempts.check(keys, own)
    },
  )

  test('are not counted without a limit, and are forgotten with the person', async () => {
    const attempts = createAttempts(createMemoryStore(), 1, Date.now)
    const external = attemptKeys('a1', { externalId: 'e' })
    for (let i = 0; i < 3; i++) await attempts.noteTry(external, 'off')
    await attempts.check(external, null)
    for (let i = 0; i < 3; i++) await attempts.noteTry(external, null)
    expect(await problemOf(attempts.check(external, null))).toBe('too_many_requests')
    await attempts.forget('a1', 'e')
    await attempts.check(external, null)
  })
})
