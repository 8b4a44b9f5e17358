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

describe('a list that is looked at', () => {
  const list = { shown: [session(3), session(2)], waiting: [] }

  test('changes what it shows in its place, and lets what is new wait', () => {
    const { shown, waiting } = takeFresh(list, [session(5), session(4), session(3, 'Completed')], false)!
    expect(ids(shown)).toEqual(['s3', 's2'])
    expect(shown[0]!.state).toBe('Completed')
    expect(ids(waiting)).toEqual(['s5', 's4'])
  })

  test('keeps what waited when more comes', () => {
    const before = takeFresh(list, [session(4), session(3)], false)!
    expect(ids(takeFresh(before, [session(6), session(5), session(4)], false)!.waiting)).toEqual([
      's6',
      's5',
      's4',
    ])
  })

  test('begins afresh where a whole page came meanwhile: what lies between was never asked for', () => {
    expect(takeFresh(list, [session(9), session(8)], false)).toBeUndefined()
  })

  test('takes nothing for new that is older than what it shows', () => {
    expect(takeFresh(list, [session(3), session(2), session(1)], false)!.waiting).toEqual([])
  })

  test('lets go what fits no more, of what is shown and of what waits, but nothing below the fresh page', () => {
    const before = {
      shown: [session(4), session(3), session(2), session(1)],
      waiting: [session(6), session(5)],
    }
    const { shown, waiting } = takeFresh(before, [session(6), session(4), session(2)], false)!
    expect(ids(shown)).toEqual(['s4', 's2', 's1'])
    expect(ids(waiting)).toEqual(['s6'])
  })

  test('is empty where nothing fits any more', () => {
    expect(takeFresh(list, [], true)).toEqual({ shown: [], waiting: [] })
    expect(ids(takeFresh(list, [session(3)], true)!.shown)).toEqual(['s3'])
  })

  test('shows what waited above the rest when somebody asks', () => {
    const now = showWaiting(takeFresh(list, [session(4), session(3)], false)!)
    expect(ids(now.shown)).toEqual(['s4', 's3', 's2'])
    expect(now.waiting).toEqual([])
  })

  test('shows nothing twice when a page comes', () => {
    expect(ids(showMore(list, [session(2), session(1)]).shown)).toEqual(['s3', 's2', 's1'])
  })
})
