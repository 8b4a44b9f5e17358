import { afterEach, describe, expect, test } from 'vitest'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createEntrySeal, createSealedStore } from '#server/platform/store/sealed/sealed-store.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { initRedirectSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { act, newVerification, problemOf, step, submit } from '../../../../support/visit.ts'

const minute = 60_000
const day = 24 * 60 * minute
const unsigned = { securityConfig: { forceSignedInput: false } }
const blind: VerificationConfig = unsigned
const living: VerificationConfig = { ...unsigned, verifierConfigs: { liveness: { type: 'Verification' } } }
const person = { person: 'a', age: 30 }

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

/** A host that limits how many bytes an address may use, and learns addresses from the proxy in front of it. */
async function start(bytes: number | undefined): Promise<Host> {
  const openingsAMinute = bytes && (bytes * 30) / 16_000_000
  // Sealed as in the product, because counts are read from lists.
  const seal = createEntrySeal(createKeyRing(Buffer.alloc(32, 7), 'EU'))
  const store = createSealedStore(createMemoryStore(), seal)
  const host = await startHost({ ports: { openingsAMinute, store }, site: { trustedProxies: 1 } })
  hosts.push(host)
  return host
}

async function open(host: Host, verificationId: string, address = '203.0.113.1', queryString = '') {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
  const body = JSON.stringify({ verificationId, queryString })
  const answer = await host.fetch(initRedirectSession.path, { method: 'POST', headers, body })
  return { answer, status: answer.status }
}

/** How many sessions a single address can open. */
async function openUntilRefused(host: Host, verificationId: string, address?: string): Promise<number> {
  for (let count = 0; count < 50; count++)
    if ((await open(host, verificationId, address)).status === 429) return count
  throw new Error('Never refused')
}

async function expire(host: Host): Promise<void> {
  host.pass(17 * minute)
  await host.services.expireOverdue()
}

describe('the traces of one address’s sessions', () => {
  test('are limited: the next session is a 429 with a retry time; another address continues', async () => {
    const host = await start(1_000_000)
    const verificationId = await newVerification(host, blind)
    expect(await openUntilRefused(host, verificationId)).toBe(10)
    const { answer } = await open(host, verificationId)
    expect(answer.headers.get('Retry-After')).toBe('900')
    expect(await answer.json()).toMatchObject({ code: 'too_many_requests' })
    expect((await open(host, verificationId, '203.0.113.2')).status).toBe(200)
    expect((await open(host, verificationId, '2001:db8::1')).status).toBe(200)
  })

  test('count for a whole /64', async () => {
    const host = await start(1_000_000)
    const verificationId = await newVerification(host, blind)
    const opened = []
    for (let i = 0; i < 11; i++) opened.push((await open(host, verificationId, `2001:db8::${i}`)).status)
    expect(opened).toEqual([...Array(10).fill(200), 429])
  })

  test('shrink once the sessions have ended, and are gone after 8 days', async () => {
    const host = await start(1_000_000)
    const verificationId = await newVerification(host, blind)
    await openUntilRefused(host, verificationId)
    await expire(host)
    const second = await openUntilRefused(host, verificationId)
    expect(second).toBeGreaterThan(5)
    expect(second).toBeLessThan(9)
    await expire(host)
    host.pass(7 * day)
    expect((await open(host, verificationId)).status).toBe(200)
    host.pass(day)
    expect(await openUntilRefused(host, verificationId)).toBeGreaterThanOrEqual(8)
  })

  test('do not count if a living person passed, so that visitors do not block those after them', async () => {
    const host = await start(500_000)
    const verificationId = await newVerification(host, living)
    for (let i = 0; i < 4; i++) {
      const { answer, status } = await open(host, verificationId)
      expect(status).toBe(200)
      const { sessionToken, ...opened } = await answer.json()
      const holder = { ...opened, sessionToken, bearer: sessionToken }
      let { next } = await step(host, holder, 0, person)
      while (next !== null) next = (await act(host, holder, next, person)).next
      expect(await submit(host, holder, person)).toMatchObject({ verificationResult: 'Pass' })
    }
  })

  test('include pictures that were judged and did not pass', async () => {
    const host = await start(700_000)
    const verificationId = await newVerification(host, {
      ...living,
      retryConfig: { attempts: 0 },
    })
    const failed = []
    for (let i = 0; i < 8; i++) {
      const { answer, status } = await open(host, verificationId)
      failed.push(status)
      if (status !== 200) break
      const { sessionToken, ...opened } = await answer.json()
      await submit(host, { ...opened, sessionToken, bearer: sessionToken }, { person: null })
    }
    expect(failed).toEqual([200, 200, 200, 200, 200, 200, 429])
  })

  test('grow with the content of a link', async () => {
    const host = await start(1_000_000)
    const verificationId = await newVerification(host, blind)
    const opened = []
    for (let i = 0; i < 10; i++)
      opened.push((await open(host, verificationId, '203.0.113.1', `note=${'x'.repeat(30_000)}`)).status)
    expect(opened.filter((status) => status === 200)).toHaveLength(7)
  })

  test('do not count for callers with a credential', async () => {
    const host = await start(100)
    const verificationId = await newVerification(host, blind)
    expect((await open(host, verificationId)).status).toBe(429)
    const created = host.call(createSession, { body: { verificationId } })
    expect(await problemOf(created)).toBe('no problem')
  })

  test('have no limit if openings have none', async () => {
    const host = await start(undefined)
    const verificationId = await newVerification(host, blind)
    expect((await open(host, verificationId)).status).toBe(200)
    for await (const { key } of host.store.list('left-behind/')) expect(key).toBeUndefined()
  })
})
