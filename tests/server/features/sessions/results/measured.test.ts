import { describe, expect, test } from 'vitest'
import { emptyVerdict } from '#models/rules/empty-verdict.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { measuredOf } from '#server/features/sessions/results/measured.ts'

type Verifiers = SessionRecord['settings']['verifiers']

/** The scores of a session that was judged this way. */
function scoresOf(
  verifiers: Verifiers,
  evidence: Partial<NonNullable<SessionRecord['outcome']>['evidence']> = {},
  estimatedAge?: number,
) {
  const outcome = {
    evidence: { ...emptyVerdict('noFace').evidence, frames: 4, ...evidence },
    result: { estimatedAge, referenceSimilarity: null },
  }
  const record = { outcome, settings: { verifiers } } as unknown as SessionRecord
  return measuredOf(record)!.scores.map(({ name, value, limit }) => [name, value, limit])
}

describe('each score comes with the limit that decided', () => {
  const living: Verifiers = { liveness: { type: 'Verification' } }

  test('from the networks that ran, and for the two compared faces', () => {
    const evidence = { passiveScore: 0.555, passiveLimit: 0.56, leastLikeness: 0.44, likenessLimit: 0.45 }
    expect(scoresOf(living, evidence)).toEqual([
      ['living', 0.555, 0.56],
      ['sameFace', 0.44, 0.45],
    ])
  })

  test('a negative likeness is reported unchanged', () => {
    expect(scoresOf({}, { leastLikeness: -0.04, likenessLimit: 0.45 })).toEqual([['sameFace', -0.04, 0.45]])
  })

  const threshold = (direction: 'Above' | 'Below') => ({
    type: 'ThresholdVerification' as const,
    thresholdConfig: { threshold: 18, direction, marginInYears: 3 },
  })
  const range = { type: 'RangeVerification' as const, rangeConfig: { minimum: 18, maximum: 30 } }

  test.each([
    ['a threshold with its margin', threshold('Above'), 20, 21],
    ['a threshold from below', threshold('Below'), 16, 15],
    ['the lower end of a range', range, 17, 18],
    ['the upper end of a range', range, 34, 30],
  ] as const)('of an age: %s', (_name, age, estimated, limit) => {
    expect(scoresOf({ age }, {}, estimated)).toEqual([['age', estimated, limit]])
  })
})
