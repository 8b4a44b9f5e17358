import { describe, expect, test } from 'vitest'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { placeWithin, queueOf } from '#web/console/review/queue.ts'

let second = 0
const session = (id: string, reasons: string[] = [], changes: object = {}) =>
  ({
    verificationSessionId: id,
    state: 'Completed',
    verificationResult: reasons.length > 0 ? 'Fail' : 'Pass',
    verificationFailedReasons: reasons,
    findings: [],
    tries: 1,
    review: null,
    createdAt: new Date(++second * 1000).toISOString(),
    ...changes,
  }) as unknown as ListedSession
const ids = (sessions: readonly ListedSession[]) => sessions.map(({ verificationSessionId: id }) => id)

describe('the queue of reviews', () => {
  test('begins with the least certain', () => {
    const queue = queueOf(
      [
        session('passed'),
        session('certain', ['livenessFailed']),
        session('uncertain', ['ageUncertain']),
        session('found', ['livenessFailed'], { findings: [{ kind: 'similarFace' }] }),
        session('both', ['lowQuality'], { findings: [{ kind: 'sameScene' }] }),
      ],
      false,
    )
    expect(ids(queue)).toEqual(['both', 'found', 'uncertain', 'certain'])
  })

  test('takes those that passed along where they are asked for, after the others', () => {
    expect(ids(queueOf([session('passed'), session('failed', ['noFace'])], true))).toEqual([
      'failed',
      'passed',
    ])
  })

  test('leaves out what is open, was reviewed, or has nothing to decide', () => {
    const review = { decision: 'Pass', note: null, reviewedAt: '', by: '' }
    const others = [
      session('open', ['noFace'], { state: 'Submitted' }),
      session('expired', ['sessionExpired'], { state: 'Expired' }),
      session('reviewed', ['noFace'], { review }),
      session('declined', ['consentDeclined']),
      session('camera', ['cameraUnavailable']),
      session('elsewhere', ['alternativeChosen']),
    ]
    expect(queueOf(others, true)).toEqual([])
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
