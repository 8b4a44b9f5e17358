import { describe, expect, test } from 'vitest'
import { firstPolicyVersion, policyVersion, ruledBy } from '#models/rules/liveness/policy.ts'

const found = ['passiveScoreLow', 'cueBroken'] as const

describe('ruledBy', () => {
  test.each([
    ['no policy', undefined, [...found], []],
    ['enforce', { kind: 'enforce', since: firstPolicyVersion, writtenUnder: policyVersion }, [...found], []],
    [
      'observe, from before the rule',
      { kind: 'observe', since: firstPolicyVersion, writtenUnder: policyVersion },
      ['passiveScoreLow'],
      ['cueBroken'],
    ],
    [
      'observe, from the rule’s own day',
      { kind: 'observe', since: '2026-11-23', writtenUnder: policyVersion },
      [...found],
      [],
    ],
    [
      'observe, from the day before it',
      { kind: 'observe', since: '2026-11-22', writtenUnder: policyVersion },
      ['passiveScoreLow'],
      ['cueBroken'],
    ],
    [
      'observe, of now',
      { kind: 'observe', since: policyVersion, writtenUnder: policyVersion },
      [...found],
      [],
    ],
    [
      'observe, from a later version than ours',
      { kind: 'observe', since: '9999-01-01', writtenUnder: policyVersion },
      [...found],
      [],
    ],
  ] as const)('%s', (_, policy, deciding, observed) => {
    expect(ruledBy(policy, found)).toEqual({ deciding, observed })
  })

  test.each([
    ['of now', { kind: 'enforce', since: '2026-11-01', writtenUnder: policyVersion }, true],
    [
      'that observes, from before the rule, written now',
      { kind: 'observe', since: '2026-11-23', writtenUnder: policyVersion },
      false,
    ],
    ['written before the rule', { kind: 'enforce', since: '2026-11-23', writtenUnder: '2026-11-23' }, false],
    [
      'written on the day of the rule',
      { kind: 'enforce', since: '2026-11-01', writtenUnder: '2026-11-24' },
      true,
    ],
    ['without a policy', undefined, true],
  ] as const)('asks a verification %s for evidence: %s', (_, policy, isDeciding) => {
    expect(ruledBy(policy, ['evidenceMissing', 'cueBroken']).deciding.includes('evidenceMissing')).toBe(
      isDeciding,
    )
  })

  test('reports inconclusive evidence, and never decides by it', () => {
    expect(ruledBy(undefined, ['evidenceSilent'])).toEqual({ deciding: [], observed: ['evidenceSilent'] })
  })

  test('has no findings without evidence', () => {
    expect(ruledBy({ kind: 'observe', since: firstPolicyVersion, writtenUnder: policyVersion }, [])).toEqual({
      deciding: [],
      observed: [],
    })
  })
})

test('versions are days, and the current one is later than the first', () => {
  for (const version of [firstPolicyVersion, policyVersion]) expect(version).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(policyVersion > firstPolicyVersion).toBe(true)
})
