import { describe, expect, test } from 'vitest'
import { bodySharesOf } from '#server/app/serving/body-shares.ts'
import type { Caller } from '#server/features/callers/callers.ts'
import { createByteBudget } from '#server/platform/running/byte-budget.ts'

const mebibyte = 1024 * 1024
const budgetOf = (mebibytes: number) => createByteBudget(mebibytes * mebibyte)
const callerOf = (who: object) => ({ address: '192.0.2.1', ...who }) as Caller
const sharesOf = (who: object, mebibytes = 128) =>
  Object.fromEntries(
    bodySharesOf(callerOf(who), budgetOf(mebibytes)).map(({ name, mostBytes }) => [
      name,
      mostBytes / mebibyte,
    ]),
  )

describe("the limit of a caller's bodies", () => {
  test.each([
    ['a stranger', { kind: 'anonymous' }, { strangers: 32, 'address/192.0.2.1': 1 }],
    ['a key', { kind: 'account', accountId: 'a' }, { 'account/a': 64 }],
    ['a session', { kind: 'session', accountId: 'a', sessionId: 's' }, { 'account/a': 64, 'session/s': 32 }],
    ['a kiosk', { kind: 'kiosk', accountId: 'a', kioskId: 'k' }, { 'account/a': 64, 'kiosk/k': 32 }],
  ])('%s', (_name, who, expected) => {
    expect(sharesOf(who)).toEqual(expected)
  })

  test('is shared by all addresses of an IPv6 network', () => {
    expect(sharesOf({ kind: 'anonymous', address: '2001:db8:1:2:3::4' })).toHaveProperty(
      'address/2001:db8:1:2::/64',
    )
  })

  test('has room for the largest body of one session at the lowest setting', () => {
    const budget = budgetOf(64)
    budget
      .open(bodySharesOf(callerOf({ kind: 'session', accountId: 'a', sessionId: 's' }), budget))
      .take(32 * mebibyte)
  })

  test('leaves half to others if one account has used up its own with many sessions', () => {
    const budget = budgetOf(128)
    const open = (who: object) => budget.open(bodySharesOf(callerOf(who), budget))
    for (const sessionId of ['s', 't'])
      open({ kind: 'session', accountId: 'a', sessionId }).take(32 * mebibyte)
    expect(() => open({ kind: 'session', accountId: 'a', sessionId: 'u' }).take(1)).toThrow()
    open({ kind: 'account', accountId: 'b' }).take(64 * mebibyte)
  })

  test('leaves room to accounts however much strangers hold', () => {
    const budget = budgetOf(64)
    const stranger = (i: number) =>
      budget.open(bodySharesOf(callerOf({ kind: 'anonymous', address: `192.0.2.${i}` }), budget))
    for (let i = 0; i < 16; i++) stranger(i).take(mebibyte)
    expect(() => stranger(99).take(1)).toThrow()
    budget.open(bodySharesOf(callerOf({ kind: 'account', accountId: 'a' }), budget)).take(32 * mebibyte)
  })
})
