import { describe, expect, test } from 'vitest'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { showMore, showWaiting, takeFresh } from '#web/console/sessions/live-list.ts'

const session = (second: number, state = 'Started') =>
  ({
    verificationSessionId: `s${second}`,
    createdAt: new Date(second * 1000).toISOString(),
    state,
  }) as unknown as ListedSession
const ids = (sessions: readonly ListedSession[]) => sessions.map(({ verificationSessionId: id }) => id)

describe('a list on screen', () => {
  const list = { shown: [session(3), session(2)], waiting: [] }

  test('updates rows in place, and lets new ones wait', () => {
    const { shown, waiting } = takeFresh(list, [session(5), session(4), session(3, 'Completed')], false)!
    expect(ids(shown)).toEqual(['s3', 's2'])
    expect(shown[0]!.state).toBe('Completed')
    expect(ids(waiting)).toEqual(['s5', 's4'])
  })

  test('keeps waiting rows when more arrive', () => {
    const before = takeFresh(list, [session(4), session(3)], false)!
    expect(ids(takeFresh(before, [session(6), session(5), session(4)], false)!.waiting)).toEqual([
      's6',
      's5',
      's4',
    ])
  })

  test('starts over if a whole page arrived meanwhile, because the gap was never requested', () => {
    expect(takeFresh(list, [session(9), session(8)], false)).toBeUndefined()
  })

  test('treats no row as new that is older than the shown ones', () => {
    expect(takeFresh(list, [session(3), session(2), session(1)], false)!.waiting).toEqual([])
  })

  test('removes rows that no longer match, shown or waiting, but nothing below the fresh page', () => {
    const before = {
      shown: [session(4), session(3), session(2), session(1)],
      waiting: [session(6), session(5)],
    }
    const { shown, waiting } = takeFresh(before, [session(6), session(4), session(2)], false)!
    expect(ids(shown)).toEqual(['s4', 's2', 's1'])
    expect(ids(waiting)).toEqual(['s6'])
  })

  test('is empty if nothing matches any more', () => {
    expect(takeFresh(list, [], true)).toEqual({ shown: [], waiting: [] })
    expect(ids(takeFresh(list, [session(3)], true)!.shown)).toEqual(['s3'])
  })

  test('shows waiting rows above the rest on request', () => {
    const now = showWaiting(takeFresh(list, [session(4), session(3)], false)!)
    expect(ids(now.shown)).toEqual(['s4', 's3', 's2'])
    expect(now.waiting).toEqual([])
  })

  test('shows nothing twice when a page arrives', () => {
    expect(ids(showMore(list, [session(2), session(1)]).shown)).toEqual(['s3', 's2', 's1'])
  })
})
