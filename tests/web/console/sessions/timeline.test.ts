import { expect, test } from 'vitest'
import { type Delivery, timelineOf } from '#web/console/sessions/timeline.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
const session = { createdAt: at(10), completedAt: at(30), state: 'Completed', review: null } as const
const attempt = (seconds: number, status: number | null) => ({ time: at(seconds), status, error: null })
const delivery = (...attempts: object[]) => ({ deliveryId: 'd', attempts }) as unknown as Delivery
const kinds = (...args: Parameters<typeof timelineOf>) => timelineOf(...args).map(({ kind }) => kind)

test('what happened stands in the order of time', () => {
  const review = { decision: 'Pass', note: null, reviewedAt: at(99), by: 'k' } as const
  const tried = delivery(attempt(31, 500), attempt(36, 204))
  expect(kinds({ ...session, review }, {}, [tried])).toEqual([
    'opened',
    'decided',
    'deliveryFailed',
    'delivered',
    'reviewed',
  ])
})

test('an open session has only begun, an expired one was not decided', () => {
  expect(kinds({ ...session, completedAt: null, state: 'Started' }, {}, [])).toEqual(['opened'])
  expect(kinds({ ...session, state: 'Expired' }, {}, [])).toEqual(['opened', 'expired'])
})

test.each([
  [199, 'deliveryFailed'],
  [200, 'delivered'],
  [299, 'delivered'],
  [300, 'deliveryFailed'],
  [null, 'deliveryFailed'],
])('an answer of %s is %s', (status, kind) => {
  expect(kinds(session, {}, [delivery(attempt(40, status))]).at(-1)).toBe(kind)
})

test('a capture of a kiosk was taken before it arrived', () => {
  const kiosk = { receivedAt: at(9) } as never
  expect(kinds(session, { capturedAt: at(1), kiosk }, []).slice(0, 3)).toEqual([
    'captured',
    'received',
    'opened',
  ])
})
