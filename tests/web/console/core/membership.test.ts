import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import { createMembership } from '#web/console/core/membership.ts'

const me = { operatorId: 'o', name: 'Ada', accountId: 'a', environment: 'live', role: 'owner' }
let kept: Map<string, string>
let asked: string[]

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
    isActive: () => true,
  })
}

beforeEach(() => {
  kept = new Map()
  asked = []
})

describe('who is signed in', () => {
  test('is asked of the server', async () => {
    const { presence, ask } = membership({ getMe: me })
    expect(presence.value).toEqual({ kind: 'asking' })
    await ask()
    expect(presence.value).toEqual({ kind: 'signedIn', me })
  })

  test('is nobody where the server says so, and unknown where it says nothing', async () => {
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

  test('signs in by passkey; the token goes with every call from then on, and goes with the sign-out', async () => {
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

  test('is nobody any more once the server refuses', async () => {
    const { presence, signIn, gate } = membership({ finishSignIn: { antiForgery: 't', me } })
    await signIn()
    gate.onSignedOut()
    expect([presence.value.kind, kept.size]).toEqual(['nobody', 0])
  })

  test('says what is shown, and asks again once another tab has switched it', async () => {
    const answers: Record<string, unknown> = { getMe: me }
    const { presence, ask, gate } = membership(answers)
    expect(gate.showing()).toBe('')
    await ask()
    expect(gate.showing()).toBe(`${me.operatorId}/${me.accountId}/${me.environment}`)
    const other = { ...me, environment: 'test' }
    answers.getMe = other
    gate.onMoved()
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

  test('hears where it was not shown', async () => {
    const { gate } = membership({ finishAgain: new Problem('forbidden', 'No.') })
    expect(await gate.askAgain()).toBe(false)
  })
})
