import { describe, expect, test, vi } from 'vitest'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import { saveReview, undoReview } from '#web/console/sessions/reviewing.ts'

const theirs = { decision: 'Pass', note: null, reviewedAt: '2026-01-31T12:00:00.000Z', by: 'Ada' } as const
const session = (review: ListedSession['review']) => ({ verificationSessionId: 's', review }) as ListedSession

function calling(answer: () => Promise<object>, listed: readonly ListedSession[] = [session(theirs)]) {
  const reviewSession = vi.fn(answer)
  const getSessions = vi.fn(async () => ({ sessions: listed, cursor: null }))
  return {
    reviewSession,
    calls: { configuration: { reviewSession, getSessions } } as unknown as ConsoleCalls,
  }
}
const taken = async () => {
  throw new Problem('already_reviewed', 'Somebody was faster.')
}
const decided = { decision: 'Fail', note: ' why ' } as const

describe('saveReview', () => {
  test.each([
    ['none', null, null],
    ['that of Ada', theirs, theirs.reviewedAt],
  ])('names the review that was seen: %s', async (_, seen, ifReviewedAt) => {
    const own = { reviewedAt: '2026-01-31T12:30:00.000Z' }
    const { calls, reviewSession } = calling(async () => own)
    expect(await saveReview(calls, session(seen), decided)).toEqual(own)
    const sent = { verificationSessionId: 's', decision: 'Fail', note: 'why', ifReviewedAt }
    expect(reviewSession).toHaveBeenCalledWith(sent)
  })

  test('answers what somebody else decided meanwhile', async () => {
    expect(await saveReview(calling(taken).calls, session(null), { ...decided, note: '' })).toEqual({
      faster: theirs,
    })
  })

  test('ends with any other problem, and where the session is not there any more', async () => {
    const gone = new Problem('not_found', 'The session does not exist.')
    const failing = calling(() => Promise.reject(gone)).calls
    await expect(saveReview(failing, session(null), decided)).rejects.toBe(gone)
    const { calls } = calling(taken, [])
    await expect(saveReview(calls, session(null), decided)).rejects.toMatchObject({
      code: 'already_reviewed',
    })
  })
})

test('undoReview takes back the review that one made, not one that stands there by now', async () => {
  const sent = { verificationSessionId: 's', reviewedAt: '2026-01-31T11:59:59.000Z' }
  const undo = vi.fn(taken)
  const { calls } = calling(async () => ({}))
  const configuration = {
    ...calls.configuration,
    undoReview: undo,
  } as unknown as ConsoleCalls['configuration']
  await expect(undoReview({ configuration }, 's', sent.reviewedAt)).rejects.toMatchObject({
    code: 'already_reviewed',
  })
  expect(undo.mock.calls).toEqual([[sent]])
})
