import { describe, expect, test } from 'vitest'
import { emptyVerdict } from '#models/rules/empty-verdict.ts'
import { standingAfter, withStanding } from '#models/rules/second-try.ts'
import type { Verdict } from '#models/rules/verdict.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'

const unit = (at: number) => Array.from({ length: 512 }, (_, i) => Number(i === at))
const verdictOf = (reasons: FailedReason[], more: Partial<Verdict> = {}): Verdict => ({
  ...emptyVerdict('noFace'),
  reasons,
  liveness: 'Pass',
  ...more,
})
const second = (first: Verdict, then: Verdict) => withStanding(then, standingAfter(first))

describe('a second try', () => {
  test.each(['noFace', 'lowQuality', 'multipleFaces', 'challengeFailed', 'assuranceTooLow'] as const)(
    'drops %s',
    (reason) => expect(second(verdictOf([reason]), verdictOf([])).reasons).toEqual([]),
  )

  test.each(['livenessFailed', 'personChanged'] as const)('%s stands to the end', (reason) => {
    const again = second(verdictOf([reason, 'lowQuality']), verdictOf([]))
    expect(again).toMatchObject({ reasons: [reason], liveness: 'Fail' })
    expect(
      withStanding(verdictOf([]), standingAfter(again, standingAfter(verdictOf([reason])))).reasons,
    ).toEqual([reason])
  })

  test('keeps a mismatch with the reference picture; a match is compared again', () => {
    const failed = { result: 'Fail', similarity: 12 } as const
    const passed = { result: 'Pass', similarity: 91 } as const
    const mismatch = verdictOf(['referenceMismatch'], { reference: failed })
    const match = verdictOf([], { reference: passed })
    const after = { reasons: ['referenceMismatch'], reference: failed, liveness: 'Pass' }
    expect(second(mismatch, match)).toMatchObject(after)
    const again = standingAfter(second(mismatch, match), standingAfter(mismatch))
    expect(withStanding(match, again)).toMatchObject(after)
    expect(second(verdictOf(['challengeFailed'], { reference: passed }), mismatch)).toMatchObject(after)
    expect(second(verdictOf(['challengeFailed'], { reference: passed }), match)).toMatchObject({
      reasons: [],
      reference: passed,
    })
  })

  test('keeps an age that was judged, passed or not; otherwise it is judged', () => {
    const failed = verdictOf(['ageNotMet'], { age: 'Fail', estimatedAge: 15 })
    const passed = verdictOf(['lowQuality'], { age: 'Pass', estimatedAge: 30 })
    const unjudged = verdictOf(['noFace'])
    expect(second(failed, { ...passed, reasons: [] })).toMatchObject({
      reasons: ['ageNotMet'],
      age: 'Fail',
      estimatedAge: 15,
    })
    expect(second(passed, failed)).toMatchObject({ reasons: [], age: 'Pass', estimatedAge: 30 })
    expect(second(unjudged, failed)).toMatchObject({ reasons: ['ageNotMet'], age: 'Fail', estimatedAge: 15 })
  })

  test('treats another person as a change of the person', () => {
    const [anna, bert] = [{ portrait: unit(0) }, { portrait: unit(1) }]
    expect(second(verdictOf(['lowQuality'], anna), verdictOf([], bert)).reasons).toEqual(['personChanged'])
    expect(second(verdictOf(['lowQuality'], anna), verdictOf([], anna)).reasons).toEqual([])
    const nobody = standingAfter(verdictOf(['noFace']), standingAfter(verdictOf([], anna)))
    expect(withStanding(verdictOf([], bert), nobody).reasons).toEqual(['personChanged'])
  })

  test('decides by the first of joined embeddings', () => {
    const joined = (at: number, other: number) => [
      ...unit(at).map((value) => value * Math.SQRT1_2),
      ...Array.from({ length: 128 }, (_, i) => Number(i === other) * Math.SQRT1_2),
    ]
    const first = verdictOf(['lowQuality'], { portrait: joined(0, 0) })
    expect(second(first, verdictOf([], { portrait: joined(0, 1) })).reasons).toEqual([])
    expect(second(first, verdictOf([], { portrait: joined(1, 0) })).reasons).toEqual(['personChanged'])
  })
})
