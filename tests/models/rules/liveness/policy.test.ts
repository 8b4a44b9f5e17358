import { describe, expect, test } from 'vitest'
import { firstPolicyVersion, policyVersion, ruledBy } from '#models/rules/liveness/policy.ts'

const found = ['passiveScoreLow', 'cueBroken'] as const

describe('ruledBy', () => {
  test.each([
    ['no policy', undefined, [...found], []],
    ['enforce', { kind: 'enforce', since: firstPolicyVersion }, [...found], []],
    [
      'observe, of before the rule',
      { kind: 'observe', since: firstPolicyVersion },
      ['passiveScoreLow'],
      ['cueBroken'],
    ],
    ['observe, of the rule’s own day', { kind: 'observe', since: '2026-11-23' }, [...found], []],
    [
      'observe, of the day before it',
      { kind: 'observe', since: '2026-11-22' },
      ['passiveScoreLow'],
      ['cueBroken'],
    ],
    ['observe, of now', { kind: 'observe', since: policyVersion }, [...found], []],
    ['observe, of a later version than ours', { kind: 'observe', since: '9999-01-01' }, [...found], []],
  ] as const)('%s', (_, policy, deciding, observed) => {
    expect(ruledBy(policy, found)).toEqual({ deciding, observed })
  })

  test('finds nothing where nothing was found', () => {
    expect(ruledBy({ kind: 'observe', since: firstPolicyVersion }, [])).toEqual({
      deciding: [],
      observed: [],
    })
  })
})

test('versions are days, and now is later than the first', () => {
  for (const version of [firstPolicyVersion, policyVersion]) expect(version).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(policyVersion > firstPolicyVersion).toBe(true)
})
