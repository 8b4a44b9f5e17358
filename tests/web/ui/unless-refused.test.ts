import { expect, test } from 'vitest'
import { unlessRefused } from '#web/ui/unless-refused.ts'

test('what came of it is answered', () => {
  expect(unlessRefused(() => 'kept')).toBe('kept')
})

test('a storage that refuses, and what cannot be read, leave nothing', () => {
  const refuse = (): string => {
    throw new DOMException('refused', 'SecurityError')
  }
  expect(unlessRefused(refuse)).toBeUndefined()
  expect(unlessRefused(() => JSON.parse('{'))).toBeUndefined()
})
