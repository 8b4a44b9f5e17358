import { describe, expect, test } from 'vitest'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { countOf, placeOf, placeWithin, standingAt, wantsNext, withNext } from '#web/console/review/queue.ts'

const sessions = (...ids: string[]) =>
  ids.map((id) => ({ verificationSessionId: id })) as unknown as ListedSession[]

describe('the queue of reviews', () => {
  test('continues with its next page, in order and without duplicates', () => {
    const queue = withNext(
      { sessions: sessions('a', 'b'), cursor: 'x' },
      { sessions: sessions('b', 'c'), cursor: 'y' },
    )
    expect(queue).toEqual({ sessions: sessions('a', 'b', 'c'), cursor: 'y' })
  })

  test.each([
    ['x', 10, false],
    ['x', 9, true],
    [null, 0, false],
  ])('with the cursor %s and %i left asks for more: %s', (cursor, left, isWanted) => {
    expect(wantsNext({ sessions: [], cursor }, left)).toBe(isWanted)
  })

  test('reports that there is more', () => {
    expect(countOf({ sessions: [], cursor: 'x' }, 100)).toBe('100+')
    expect(countOf({ sessions: [], cursor: null }, 3)).toBe('3')
  })

  test.each([
    [-1, 3, 0],
    [0, 3, 0],
    [2, 3, 2],
    [3, 3, 2],
    [5, 0, 0],
  ])('place %d of %d is %d', (place, count, expected) => {
    expect(placeWithin(place, count)).toBe(expected)
  })
})

test('restores a session to its former position, among the remaining ones', () => {
  const queue = { sessions: sessions('a', 'b', 'c', 'd'), cursor: null }
  expect(placeOf(queue, new Set(['b']), 'b')).toBe(1)
  expect(placeOf(queue, new Set(['a', 'b', 'd']), 'd')).toBe(1)
  expect(placeOf(queue, new Set(), 'gone')).toBe(0)
})

test('keeps the current session when others before it leave, and its position when it leaves itself', () => {
  expect(standingAt(sessions('b', 'c'), { id: 'b', index: 1 })).toBe(0)
  expect(standingAt(sessions('a', 'c'), { id: 'b', index: 1 })).toBe(1)
  expect(standingAt(sessions('a'), { id: 'b', index: 1 })).toBe(0)
  expect(standingAt([], { id: undefined, index: 0 })).toBe(0)
})
