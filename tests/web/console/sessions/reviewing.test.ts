import { describe, expect, test, vi } from 'vitest'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import { explain } from '#web/console/core/explain.ts'
import { saveReview, undoReview } from '#web/console/sessions/reviewing.ts'
import { ar } from '#web/console/wording/ar.ts'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { de } from '#web/console/wording/de.ts'
import { en } from '#web/console/wording/en.ts'
import { ja } from '#web/console/wording/ja.ts'

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
  ])('names the review that was on screen: %s', async (_, seen, ifReviewedAt) => {
    const own = { reviewedAt: '2026-01-31T12:30:00.000Z' }
    const { calls, reviewSession } = calling(async () => own)
    expect(await saveReview(calls, session(seen), decided)).toEqual(own)
    const sent = { verificationSessionId: 's', decision: 'Fail', note: 'why', ifReviewedAt }
    expect(reviewSession).toHaveBeenCalledWith(sent)
  })

  test('returns another person’s concurrent decision', async () => {
    expect(await saveReview(calling(taken).calls, session(null), { ...decided, note: '' })).toEqual({
      faster: theirs,
    })
  })

  test('fails with any other problem, and if the session no longer exists', async () => {
    const gone = new Problem('not_found', 'The session does not exist.')
    const failing = calling(() => Promise.reject(gone)).calls
    await expect(saveReview(failing, session(null), decided)).rejects.toBe(gone)
    const { calls } = calling(taken, [])
    await expect(saveReview(calls, session(null), decided)).rejects.toMatchObject({
      code: 'already_reviewed',
    })
  })
})

test('undoReview takes back the own review, not a later one', async () => {
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

describe('the message if a decision cannot be taken back', () => {
  const languages = { ar, de, en, ja } as unknown as Readonly<Record<string, ConsoleWording>>
  const refused = async (code: 'already_reviewed' | 'review_final' | 'not_found') => {
    const undo = async () => {
      throw new Problem(code, 'In the words of the server.', { requestId: 'r-1' })
    }
    const calls = { configuration: { undoReview: undo } } as unknown as ConsoleCalls
    return undoReview(calls, 's', theirs.reviewedAt).catch((problem: unknown) => problem)
  }

  test.each(Object.entries(languages))('speaks of the undoing, in %s', async (_language, words) => {
    const { problem } = words
    const since = explain(await refused('already_reviewed'), words)
    expect(since).toMatchObject({ ...problem.notUndone, requestId: 'r-1' })
    expect(explain(await refused('review_final'), words)).toMatchObject(problem.code.review_final)
    const deciding = explain(new Problem('already_reviewed', ''), words)
    expect(deciding).toMatchObject(problem.code.already_reviewed)
    expect(since.title).not.toBe(deciding.title)
    expect(since.advice).not.toBe(deciding.advice)
    expect(explain(await refused('not_found'), words)).toMatchObject(problem.code.not_found)
  })
})
