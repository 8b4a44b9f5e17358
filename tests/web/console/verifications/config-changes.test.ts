import { expect, test } from 'vitest'
import { changesBetween } from '#web/console/verifications/config-changes.ts'

const before = {
  verifierConfigs: { liveness: { type: 'Verification' }, age: { type: 'CalculationOnly' } },
  retryConfig: { attempts: 2 },
} as const

test('lists each member that differs with its old and new value', () => {
  const after = {
    verifierConfigs: { liveness: { type: 'Verification', challengeType: 'Advanced' } },
    retryConfig: { attempts: 1 },
  } as const
  expect(changesBetween(before, after)).toEqual([
    { path: 'retryConfig.attempts', before: '2', after: '1' },
    { path: 'verifierConfigs.age.type', before: '"CalculationOnly"', after: null },
    { path: 'verifierConfigs.liveness.challengeType', before: null, after: '"Advanced"' },
  ])
})

test('is empty for equal configurations, in whatever order they are written', () => {
  const { retryConfig, verifierConfigs } = before
  expect(changesBetween(before, { retryConfig, verifierConfigs })).toEqual([])
})

test('an empty section and a list of the caller’s own count as members', () => {
  const mine = { 'x-mine': [1, { a: 2 }], redirectConfig: {} } as never
  expect(changesBetween({}, mine)).toEqual([
    { path: 'redirectConfig', before: null, after: '{}' },
    { path: 'x-mine', before: null, after: '[1,{"a":2}]' },
  ])
})
