import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import { createMembership } from '#web/console/core/membership.ts'

const me = { operatorId: 'o', name: 'Ada', accountId: 'a', environment: 'live', role: 'owner' }
let kept: Map<string, string>
let asked: string[]
let ofTab: Map<string, string>

function membership(answers: Record<string, unknown>) {
  const own = new Proxy(
    {},
    {
      get: (_, name: string) => async () => {
        asked.push(name)
        const answer = answers[name] ?? { ceremony: 'c', options: {} }
        if (answer instanceof Error) throw answer
        return answer
      },
    },
  )
  return createMembership({
    calls: () => ({ own }) as unknown as ConsoleCalls,
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => kept.set(name, value),
      removeItem: (name) => kept.delete(name),
    },
    show: async () => ({ id: 'passkey' }),
    make: async () => ({ id: 'passkey' }),
    tab: {
      getItem: (name) => ofTab.get(name) ?? null,
      setItem: (name, value) => ofTab.set(name, value),
      removeItem: (name) => ofTab.delete(name),
    },
    leaveFor: (url) => asked.push(`left for ${url}`),
    visit: async (url) => `?from=${url}`,
    isActive: () => true,
  })
}

beforeEach(() => {
  kept = new Map()
  asked = []
  ofTab = new Map()
})

describe('the signed-in person', () => {
  test('is requested from the server', async () => {
    const { presence, ask } = membership({ getMe: me })
    expect(presence.value).toEqual({ kind: 'asking' })
    await ask()
    expect(presence.value).toEqual({ kind: 'signedIn', me })
  })

  test('is absent if the server says so, and unknown if it does not answer', async () => {
    const refused = membership({ getMe: new Problem('unauthenticated', 'No.') })
    await refused.ask()
    expect(refused.presence.value.kind).toBe('nobody')
    const silent = membership({ getMe: new TypeError('failed to fetch') })
    await silent.ask()
    expect(silent.presence.value.kind).toBe('unreachable')
  })

  test('stays signed in while the server is away', async () => {
    const answers: Record<string, unknown> = { getMe: me }
    const { presence, ask } = membership(answers)
    await ask()
    answers.getMe = new TypeError('failed to fetch')
    await ask()
    expect(presence.value.kind).toBe('signedIn')
  })

  test('signs in by passkey; the token is sent with every call from then on, and dropped at sign-out', async () => {
    const { presence, signIn, signOut, gate } = membership({
      finishSignIn: { antiForgery: 't', me },
      signOut: {},
    })
    expect(gate.antiForgeryToken()).toBe('')
    await signIn()
    expect([presence.value.kind, gate.antiForgeryToken()]).toEqual(['signedIn', 't'])
    await signOut()
    expect([presence.value.kind, gate.antiForgeryToken(), kept.size]).toEqual(['nobody', '', 0])
  })

  test('is signed out once the server refuses', async () => {
    const { presence, signIn, gate } = membership({ finishSignIn: { antiForgery: 't', me } })
    await signIn()
    gate.onSignedOut()
    expect([presence.value.kind, kept.size]).toEqual(['nobody', 0])
  })

  test('names the view, and asks again once another tab has switched it', async () => {
    const answers: Record<string, unknown> = { getMe: me }
    const { presence, ask, gate } = membership(answers)
    expect(gate.showing()).toBe('')
    await ask()
    expect(gate.showing()).toBe(`${me.operatorId}/${me.accountId}/${me.environment}`)
    const other = { ...me, environment: 'test' }
    answers.getMe = other
    gate.onMoved(false)
    await vi.waitFor(() => expect(presence.value).toEqual({ kind: 'signedIn', me: other }))
    expect(gate.showing()).toMatch(/test$/)
  })

  test('shows the passkey once for several calls that need it', async () => {
    const { gate } = membership({ finishAgain: me })
    expect(await Promise.all([gate.askAgain(), gate.askAgain()])).toEqual([true, true])
    expect(asked).toEqual(['beginAgain', 'finishAgain'])
    expect(await gate.askAgain()).toBe(true)
    expect(asked).toHaveLength(4)
  })

  test('notices that it was not shown', async () => {
    const { gate } = membership({ finishAgain: new Problem('forbidden', 'No.') })
    expect(await gate.askAgain()).toBe(false)
  })
})

describe('the sign-in by a provider', () => {
  const begun = { ceremony: 'c', url: 'https://login.example' }

  test('leaves the page, and signs in with the answer, once', async () => {
    const { presence, goToProvider, returnFromProvider } = membership({
      beginProvider: begun,
      finishProvider: { antiForgery: 't', me },
    })
    await goToProvider({ code: 'i', name: 'Ada' })
    expect(asked).toEqual(['beginProvider', 'left for https://login.example'])
    expect(JSON.parse(ofTab.get('console-provider')!)).toEqual({ ceremony: 'c', code: 'i', name: 'Ada' })
    expect(await returnFromProvider('?code=1')).toBe(true)
    expect(presence.value).toEqual({ kind: 'signedIn', me })
    expect(kept.get('console-token')).toBe('t')
    expect(await returnFromProvider('?code=1')).toBe(false)
  })

  test('accepts no invitation if there is none', async () => {
    const { goToProvider } = membership({ beginProvider: begun })
    await goToProvider()
    expect(JSON.parse(ofTab.get('console-provider')!)).toEqual({ ceremony: 'c' })
  })

  test('asks people who used it again there, and others for their passkey', async () => {
    const answers = {
      getMe: { ...me, shownBy: 'provider' },
      beginProviderAgain: begun,
      finishProviderAgain: me,
    }
    const byProvider = membership(answers)
    await byProvider.ask()
    asked = []
    expect(await byProvider.gate.askAgain()).toBe(true)
    expect(asked).toEqual(['beginProviderAgain', 'finishProviderAgain'])
    asked = []
    const byPasskey = membership({ getMe: { ...me, shownBy: 'passkey' }, finishAgain: me })
    await byPasskey.ask()
    await byPasskey.gate.askAgain()
    expect(asked).toEqual(['getMe', 'beginAgain', 'finishAgain'])
  })
})
