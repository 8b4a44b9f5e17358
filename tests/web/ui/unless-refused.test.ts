import { expect, test } from 'vitest'
import { unlessRefused } from '#web/ui/unless-refused.ts'

test('the result is returned', () => {
  expect(unlessRefused(() => 'kept')).toBe('kept')
})

test('a refused storage, and unreadable values, give undefined', () => {
  const refuse = (): string => {
    throw new DOMException('refused', 'SecurityError')
  }
  expect(unlessRefused(refuse)).toBeUndefined()
  expect(unlessRefused(() => JSON.parse('{'))).toBeUndefined()
})
