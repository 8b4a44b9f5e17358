import { describe, expect, test } from 'vitest'
import { createByteBudget } from '#server/platform/running/byte-budget.ts'

const overloaded = expect.objectContaining({ code: 'overloaded', status: 503, retryAfterInSeconds: 2 })
const share = (name: string, mostBytes: number) => ({ name, mostBytes })

describe('bytes in progress', () => {
  test('fit up to the last one, and no further', () => {
    const budget = createByteBudget(100)
    const lease = budget.open([])
    lease.take(60)
    lease.take(40)
    expect(budget.underWay()).toBe(100)
    expect(() => lease.take(1)).toThrow(overloaded)
    expect([budget.underWay(), budget.refused()]).toEqual([100, 1])
  })

  test('count for every share: a full account leaves room to another', () => {
    const budget = createByteBudget(100)
    budget.open([share('a', 50)]).take(50)
    expect(() => budget.open([share('a', 50)]).take(1)).toThrow(overloaded)
    const other = budget.open([share('b', 50)])
    other.take(50)
    expect(budget.underWay()).toBe(100)
  })

  test('count for the process even if no share is full', () => {
    const budget = createByteBudget(100)
    for (const name of ['a', 'b']) budget.open([share(name, 50)]).take(50)
    expect(() => budget.open([share('c', 50)]).take(1)).toThrow(overloaded)
  })

  test('that are announced take no room, and are refused if they would not fit', () => {
    const budget = createByteBudget(100)
    for (let i = 0; i < 10; i++) budget.open([]).expect(100)
    expect(budget.underWay()).toBe(0)
    budget.open([]).take(1)
    expect(() => budget.open([]).expect(100)).toThrow(overloaded)
  })

  test('are released once, including those held beyond the budget', () => {
    const budget = createByteBudget(100)
    const lease = budget.open([share('a', 50)])
    lease.take(50)
    lease.hold(70)
    expect(budget.underWay()).toBe(120)
    lease.free()
    lease.free()
    expect(budget.underWay()).toBe(0)
    budget.open([share('a', 50)]).take(50)
  })
})
