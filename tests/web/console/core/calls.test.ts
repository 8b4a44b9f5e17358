import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Fetch } from '#shared/call.ts'
import { createConsoleCalls, type Gate, guardedFetch } from '#web/console/core/calls.ts'

type Sent = { address: string; method: string; headers: Record<string, string> }

/** Gives its answers one after another, and records the requests. */
function server(...answers: [status: number, body: unknown, retryAfter?: string][]) {
  const sent: Sent[] = []
  const fetch: Fetch = async (address, init) => {
    sent.push({ address, ...init })
    const [status, body, retryAfter = null] = answers[Math.min(sent.length, answers.length) - 1]!
    return {
      ok: status < 300,
      status,
      headers: { get: (name) => (name === 'retry-after' ? retryAfter : null) },
      text: async () => JSON.stringify(body),
    }
  }
  return { fetch, sent }
}

function gate(
  changes: Partial<Gate> = {},
): Gate & { ended: number; asked: number; moved: number; leftBehind: number } {
  const made = {
    ended: 0,
    asked: 0,
    moved: 0,
    antiForgeryToken: () => 'token',
    isBackground: () => false,
    showing: () => '',
    leftBehind: 0,
    onMoved: (isLeftBehind: boolean) => {
      if (isLeftBehind) made.leftBehind++
      else made.moved++
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
  test('to public endpoints go to the console’s path, with the token in the header', async () => {
    const { fetch, sent } = server([200, { verifications: [] }])
    await createConsoleCalls('http://localhost', fetch, gate()).configuration.getAllVerifications()
    expect(sent[0]).toMatchObject({
      address: 'http://localhost/console/api/v1/verification/get-all',
      headers: { 'X-Anti-Forgery': 'token' },
    })
  })

  test('to its own endpoints go to their paths', async () => {
    const { fetch, sent } = server([200, { people: [], invitations: [] }])
    await createConsoleCalls('http://localhost', fetch, gate()).own.getPeople()
    expect(sent[0]!.address).toBe('http://localhost/console/api/people')
  })

  test('send no token while signed out', async () => {
    const { fetch, sent } = server([200, {}])
    await guardedFetch(fetch, gate({ antiForgeryToken: () => '' }), '')('/x', get)
    expect(sent[0]!.headers).toEqual({})
  })

  test('that no person requested are marked as such', async () => {
    const { fetch, sent } = server([200, {}])
    await guardedFetch(fetch, gate({ isBackground: () => true }), '')('/x', get)
    await guardedFetch(fetch, gate(), '')('/x', get)
    expect(sent.map(({ headers }) => 'X-Background' in headers)).toEqual([true, false])
  })

  test('a 401 ends the sign-in', async () => {
    const { fetch } = server([401, { code: 'unauthenticated' }])
    const heard = gate()
    const answer = await guardedFetch(fetch, heard, '')('/x', get)
    expect(answer.status).toBe(401)
    expect(heard.ended).toBe(1)
  })

  test('a dangerous call asks for the passkey, and is then repeated', async () => {
    const { fetch, sent } = server([403, { code: 'passkey_needed' }], [200, { done: true }])
    const heard = gate()
    const answer = await guardedFetch(fetch, heard, '')('/x', get)
    expect(await answer.text()).toBe('{"done":true}')
    expect([heard.asked, sent.length]).toEqual([1, 2])
  })

  test('each names the view of the page; also after the passkey', async () => {
    const { fetch, sent } = server([403, { code: 'passkey_needed' }], [200, {}])
    await guardedFetch(fetch, gate({ showing: () => 'ada/a/live' }), 'ada/a/test')('/x', get)
    expect(sent.map(({ headers }) => headers['X-Showing'])).toEqual(['ada/a/test', 'ada/a/test'])
  })

  test('an account switch in another tab is noticed, and not carried out', async () => {
    const { fetch, sent } = server([403, { code: 'console_moved' }])
    const heard = gate()
    expect((await guardedFetch(fetch, heard, '')('/x', get)).status).toBe(403)
    expect([heard.moved, heard.asked, sent.length]).toEqual([1, 0, 1])
  })

  test('a person who does not show the passkey gets the refusal', async () => {
    const { fetch, sent } = server([403, { code: 'passkey_needed' }])
    const answer = await guardedFetch(fetch, gate({ askAgain: async () => false }), '')('/x', get)
    expect([answer.status, await answer.text(), sent.length]).toEqual([403, '{"code":"passkey_needed"}', 1])
  })

  test('a role without permission is not asked for it', async () => {
    const { fetch } = server([403, { code: 'forbidden' }])
    const heard = gate()
    const answer = await guardedFetch(fetch, heard, '')('/x', get)
    expect([answer.status, heard.asked]).toEqual([403, 0])
    expect(await answer.text()).toContain('forbidden')
  })
})

describe('a call of the console while the page changes its view', () => {
  const busy = [429, { code: 'too_many_requests' }, '0'] as [number, unknown, string]
  const shownOf = (sent: readonly Sent[]) => sent.map(({ headers }) => headers['X-Showing'])
  const switching = () => {
    const shown = ['ada/a/test', 'ada/a/live']
    return () => shown.shift() ?? 'ada/a/live'
  }

  test('is about the view at its start, even if a busy server delays it', async () => {
    const { fetch, sent } = server(busy, [200, {}])
    const calls = createConsoleCalls('http://localhost', fetch, gate({ showing: switching() }))
    await calls.recognition.deleteCollection({ collectionId: 'customers' })
    expect(shownOf(sent)).toEqual(['ada/a/test', 'ada/a/test'])
  })

  test('and if the passkey is requested', async () => {
    const { fetch, sent } = server([403, { code: 'passkey_needed' }], [200, {}])
    let showing = 'ada/a/test'
    const askAgain = async () => {
      showing = 'ada/a/live'
      return true
    }
    const calls = createConsoleCalls('http://localhost', fetch, gate({ showing: () => showing, askAgain }))
    await calls.recognition.deleteCollection({ collectionId: 'customers' })
    expect(shownOf(sent)).toEqual(['ada/a/test', 'ada/a/test'])
  })

  test('calls about the view of a page name it each time', async () => {
    const { fetch, sent } = server([200, {}])
    const calls = createConsoleCalls('http://localhost', fetch, gate({ showing: () => 'ada/a/live' }))
    const ofPage = calls.about('ada/a/test')
    await ofPage.recognition.deleteCollection({ collectionId: 'one' })
    await ofPage.own.getPeople()
    await calls.own.getPeople()
    expect(shownOf(sent)).toEqual(['ada/a/test', 'ada/a/test', 'ada/a/live'])
  })

  test('is distinguished from a change in another tab; a read is dropped silently', async () => {
    const { fetch } = server([403, { code: 'console_moved' }])
    const heard = gate({ showing: () => 'ada/a/live' })
    const ofPage = createConsoleCalls('http://localhost', fetch, heard).about('ada/a/test')
    const moved = { code: 'console_moved' }
    await expect(ofPage.configuration.getAllVerifications()).rejects.toMatchObject(moved)
    expect([heard.moved, heard.leftBehind]).toEqual([0, 0])
    await expect(ofPage.recognition.deleteCollection({ collectionId: 'one' })).rejects.toMatchObject(moved)
    expect([heard.moved, heard.leftBehind]).toEqual([0, 1])
  })
})

describe('a call that needs the passkey', () => {
  afterEach(() => vi.useRealTimers())

  test('waits for it as long as the person takes, and then has all of its time', async () => {
    vi.useFakeTimers()
    const late = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds))
    const { fetch, sent } = server([403, { code: 'passkey_needed' }], [200, { people: [], invitations: [] }])
    const slow: Fetch = async (address, init) => {
      await late(15_000)
      return fetch(address, init)
    }
    const askAgain = () => late(120_000).then(() => true)
    const answer = createConsoleCalls('http://localhost', slow, gate({ askAgain })).own.getPeople()
    const seen = vi.fn()
    answer.then(seen, seen)
    await vi.advanceTimersByTimeAsync(149_000)
    expect(seen).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2000)
    expect(seen).toHaveBeenCalledWith({ people: [], invitations: [] })
    expect(sent).toHaveLength(2)
  })

  test('is refused if the person declines', async () => {
    const { fetch, sent } = server([403, { code: 'passkey_needed' }])
    const refusing = gate({ askAgain: async () => false })
    const answer = createConsoleCalls('http://localhost', fetch, refusing).own.getPeople()
    await expect(answer).rejects.toMatchObject({ code: 'passkey_needed' })
    expect(sent).toHaveLength(1)
  })
})
