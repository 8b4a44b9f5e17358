import { expect, it } from 'vitest'
import { environmentOf } from '#server/features/callers/callers.ts'

it('takes an account for live unless it is the shadow of another', () => {
  expect(environmentOf({})).toBe('live')
  expect(environmentOf({ testOf: 'a' })).toBe('test')
})
