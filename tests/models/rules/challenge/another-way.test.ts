import { expect, test } from 'vitest'
import { isComingCloser } from '#models/rules/challenge/another-way.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

const all: readonly Action[] = ['turnLeft', 'turnRight', 'lookUp', 'smile', 'comeCloser']

test.each(['turnLeft', 'turnRight', 'lookUp'] as const)('coming closer stands in for %s', (insteadOf) => {
  expect(isComingCloser(all, [insteadOf], insteadOf)).toBe(true)
})

test.each(['smile', 'blink', undefined] as const)('it does not stand in for %s', (insteadOf) => {
  expect(isComingCloser(all, ['smile'], insteadOf)).toBe(false)
})

test('is offered once, and only if it is permitted', () => {
  expect(isComingCloser(all, ['comeCloser', 'turnLeft'], 'turnLeft')).toBe(false)
  expect(isComingCloser(['turnLeft', 'smile'], ['turnLeft'], 'turnLeft')).toBe(false)
})
