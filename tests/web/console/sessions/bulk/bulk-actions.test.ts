import { expect, test, vi } from 'vitest'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import { bulkActions, eligible, perform } from '#web/console/sessions/bulk/bulk-actions.ts'

const session = (verificationSessionId: string, outcome: string, review: object | null = null) =>
  ({ verificationSessionId, outcome, review }) as ListedSession
const sessions = [
  session('open', 'open'),
  session('passed', 'passed'),
  session('failed', 'failed'),
  session('decided', 'failed', { decision: 'Fail' }),
  session('left', 'left'),
]
const ids = (some: readonly ListedSession[]) => some.map((one) => one.verificationSessionId)
const input = { note: ' Seen together. ', reviewer: 'Kim' }

test('each action leaves out the sessions that it does not fit, and none of them passes anyone', () => {
  expect(bulkActions).toEqual(['assign', 'fail', 'resend', 'cancel'])
  expect(ids(eligible('assign', sessions))).toEqual(['passed', 'failed', 'decided'])
  expect(ids(eligible('fail', sessions))).toEqual(['passed', 'failed'])
  expect(ids(eligible('resend', sessions))).toEqual(['passed', 'failed', 'decided', 'left'])
  expect(ids(eligible('cancel', sessions))).toEqual(['open'])
})

test('a decision has the one note, and a session that was decided meanwhile is not counted', async () => {
  const reviewSession = vi.fn(async ({ verificationSessionId: id }: { verificationSessionId: string }) => {
    if (id === 'passed') throw new Error('already_reviewed')
    return { reviewedAt: '' }
  })
  const calls = { configuration: { reviewSession } } as unknown as ConsoleCalls
  expect(await perform(calls, 'fail', eligible('fail', sessions), input)).toBe(1)
  expect(reviewSession).toHaveBeenCalledWith({
    verificationSessionId: 'failed',
    decision: 'Fail',
    ifReviewedAt: null,
    note: 'Seen together.',
  })
})

test('more sessions than one call may assign are assigned in several', async () => {
  const assignReview = vi.fn(async ({ verificationSessionIds }: { verificationSessionIds: string[] }) => ({
    count: verificationSessionIds.length,
  }))
  const calls = { configuration: { assignReview } } as unknown as ConsoleCalls
  const many = Array.from({ length: 250 }, (_, i) => session(String(i), 'failed'))
  expect(await perform(calls, 'assign', many, input)).toBe(250)
  const given = assignReview.mock.calls.map(([{ verificationSessionIds }]) => verificationSessionIds)
  expect(given.map((some) => some.length)).toEqual([100, 100, 50])
  expect(given.flat()).toEqual(ids(many))
})

test('only what was given up is sent again', async () => {
  const getDeliveries = vi.fn(async ({ verificationSessionId: id }: { verificationSessionId: string }) => ({
    deliveries: id === 'failed' ? [{ deliveryId: 'd' }] : [],
  }))
  const resendDelivery = vi.fn(async () => ({ deliveryId: 'e' }))
  const calls = { configuration: { getDeliveries, resendDelivery } } as unknown as ConsoleCalls
  expect(await perform(calls, 'resend', eligible('resend', sessions), input)).toBe(1)
  expect(resendDelivery.mock.calls).toEqual([[{ deliveryId: 'd' }]])
})
