import { expect, test } from 'vitest'
import { type Delivery, timelineOf, withoutTime } from '#web/console/sessions/timeline.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
const session = { createdAt: at(10), completedAt: at(30), state: 'Completed', review: null } as const
const attempt = (seconds: number, status: number | null) => ({ time: at(seconds), status, error: null })
const delivery = (...attempts: object[]) => ({ deliveryId: 'd', attempts }) as unknown as Delivery
type Given = Parameters<typeof timelineOf>
const unknown = { consented: null, firstPicture: null, submitted: null }
const kinds = (session: Given[0], kiosk: Given[1], deliveries: Given[2], told: Partial<Given[3]> = {}) =>
  timelineOf(session, kiosk, deliveries, { steps: [], reachedAt: unknown, triesBegunAt: [], ...told }).map(
    ({ kind }) => kind,
  )

test('events are in chronological order', () => {
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

test('steps are placed at the arrival of their pictures', () => {
  const step = {
    try: 1,
    step: 1,
    action: 'smile',
    askedAt: at(12),
    answeredAt: at(15),
    accepted: true,
    outcome: 'performed',
  } as const
  expect(kinds(session, {}, [delivery(attempt(40, 200))], { steps: [step] })).toEqual([
    'opened',
    'step',
    'decided',
    'delivered',
  ])
})

test('what the visit passed is placed at its time; the first pictures are a separate step in a challenge', () => {
  const reachedAt = { consented: at(12), firstPicture: at(12), submitted: at(29) }
  expect(kinds(session, {}, [], { reachedAt })).toEqual([
    'opened',
    'consented',
    'firstPicture',
    'submitted',
    'decided',
  ])
  const first = {
    try: 1,
    step: 0,
    action: null,
    askedAt: at(10),
    answeredAt: at(12),
    accepted: true,
    outcome: null,
  }
  expect(kinds(session, {}, [], { reachedAt, steps: [first] })).toEqual([
    'opened',
    'consented',
    'step',
    'submitted',
    'decided',
  ])
})

test('every try is listed in order, each begun after the one before', () => {
  const stepAt = (attempt: number, step: number, seconds: number) => ({
    try: attempt,
    step,
    action: step === 0 ? null : ('smile' as const),
    askedAt: at(seconds - 1),
    answeredAt: at(seconds),
    accepted: step === 0,
    outcome: step === 0 ? null : ('notPerformed' as const),
  })
  const steps = [stepAt(1, 0, 11), stepAt(1, 1, 12), stepAt(2, 0, 15), stepAt(3, 0, 18)]
  const told = { steps, triesBegunAt: [at(13), at(16)] }
  const moments = timelineOf(session, {}, [], { reachedAt: unknown, ...told })
  const words = moments.map((moment) =>
    moment.kind === 'step'
      ? moment.step.try
      : moment.kind === 'tryBegun'
        ? `try ${moment.number}`
        : moment.kind,
  )
  expect(words).toEqual(['opened', 1, 1, 'try 2', 2, 'try 3', 3, 'decided'])
})

test('events without a time are listed separately', () => {
  const reached = ['consented', 'submitted'] as const
  expect(withoutTime({ reached: [...reached], reachedAt: { ...unknown, submitted: at(1) } })).toEqual([
    'consented',
  ])
})
