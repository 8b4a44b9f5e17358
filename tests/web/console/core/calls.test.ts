import { describe, expect, test } from 'vitest'
import type { Fetch } from '#shared/call.ts'
import { createConsoleCalls, type Gate, guardedFetch } from '#web/console/core/calls.ts'

type Sent = { address: string; method: string; headers: Record<string, string> }

/** Answers in turn, and keeps what was asked. */
function server(...answers: [status: number, body: unknown][]) {
  const sent: Sent[] = []
  const fetch: Fetch = async (address, init) => {
    sent.push({ address, ...init })
    const [status, body] = answers[Math.min(sent.length, answers.length) - 1]!
    return { ok: status < 300, status, headers: { get: () => null }, text: async () => JSON.stringify(body) }
  }
  return { fetch, sent }
}

function gate(changes: Partial<Gate> = {}): Gate & { ended: number; asked: number; moved: number } {
  const made = {
    ended: 0,
    asked: 0,
    moved: 0,
    antiForgeryToken: () => 'token',
    isBackground: () => false,
    showing: () => '',
    onMoved: () => {
      made.moved++
    },
    onSignedOut: () => {
      made.ended++
    },
    askAgain: async () => {
      made.asked++
      return true
    },
    ...changes,
  }
  return made
}

const get = { method: 'GET', headers: {} }

describe('calls of the console', () => {
  test('public endpoints stand under its own path, with the token in the header', async () => {
    const { fetch, sent } = server([200, { verifications: [] }])
    await createConsoleCalls('http://localhost', fetch, gate()).configuration.getAllVerifications()
    expect(sent[0]).toMatchObject({
      address: 'http://localhost/console/api/v1/verification/get-all',
      headers: { 'X-Anti-Forgery': 'token' },
    })
  })

  test('its own endpoints stand where they are', async () => {
    const { fetch, sent } = server([200, { people: [], invitations: [] }])
    await createConsoleCalls('http://localhost', fetch, gate()).own.getPeople()
    expect(sent[0]!.address).toBe('http://localhost/console/api/people')
  })

  test('who is not signed in sends no token', async () => {
    const { fetch, sent } = server([200, {}])
    await guardedFetch(fetch, gate({ antiForgeryToken: () => '' }))('/x', get)
    expect(sent[0]!.headers).toEqual({})
  })

  test('what no person asked for says so', async () => {
    const { fetch, sent } = server([200, {}])
    await guardedFetch(fetch, gate({ isBackground: () => true }))('/x', get)
    await guardedFetch(fetch, gate())('/x', get)
    expect(sent.map(({ headers }) => 'X-Background' in headers)).toEqual([true, false])
  })

  test('a 401 ends the sign-in', async () => {
    const { fetch } = server([401, { code: 'unauthenticated' }])
    const heard = gate()
    const answer = await guardedFetch(fetch, heard)('/x', get)
    expect(answer.status).toBe(401)
    expect(heard.ended).toBe(1)
  })

  test('what is dangerous asks for the passkey, and is then done', async () => {
    const { fetch, sent } = server([403, { code: 'passkey_needed' }], [200, { done: true }])
    const heard = gate()
    const answer = await guardedFetch(fetch, heard)('/x', get)
    expect(await answer.text()).toBe('{"done":true}')
    expect([heard.asked, sent.length]).toEqual([1, 2])
  })

  test('each says what the page shows; also after the passkey it is what was shown when it was asked', async () => {
    const { fetch, sent } = server([403, { code: 'passkey_needed' }], [200, {}])
    const shown = ['ada/a/test', 'ada/a/live']
    await guardedFetch(fetch, gate({ showing: () => shown.shift()! }))('/x', get)
    expect(sent.map(({ headers }) => headers['X-Showing'])).toEqual(['ada/a/test', 'ada/a/test'])
  })

  test('what another tab has switched is heard of, and done by nobody', async () => {
    const { fetch, sent } = server([403, { code: 'console_moved' }])
    const heard = gate()
    expect((await guardedFetch(fetch, heard)('/x', get)).status).toBe(403)
    expect([heard.moved, heard.asked, sent.length]).toEqual([1, 0, 1])
  })

  test('who does not show the passkey gets the refusal', async () => {
    const { fetch, sent } = server([403, { code: 'passkey_needed' }])
    const answer = await guardedFetch(fetch, gate({ askAgain: async () => false }))('/x', get)
    expect([answer.status, await answer.text(), sent.length]).toEqual([403, '{"code":"passkey_needed"}', 1])
  })

  test('a role that may not is asked nothing', async () => {
    const { fetch } = server([403, { code: 'forbidden' }])
    const heard = gate()
    const answer = await guardedFetch(fetch, heard)('/x', get)
    expect([answer.status, heard.asked]).toEqual([403, 0])
    expect(await answer.text()).toContain('forbidden')
  })
})
