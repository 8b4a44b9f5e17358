import { expect, test } from 'vitest'
import { upToSignature } from '#shared/signed-query.ts'

const signed = `order=7&reExpiration=1767225600&reSignature=${'0c1a'.repeat(16)}`

test.each([
  '&fbclid=abc',
  '&utm_source=mail&utm_medium=email',
  '.',
  ')',
  '%22',
  '%E2%80%8B',
  '\u200b',
  '&order=8',
  `&reSignature=${'ff'.repeat(32)}`,
])('%j after the signature is dropped', (tail) => {
  expect(upToSignature(`${signed}${tail}`)).toBe(signed)
  expect(upToSignature(`?${signed}${tail}`)).toBe(`?${signed}`)
})

test.each([
  '',
  '?',
  'order=7&fbclid=abc',
  'reSignature=0c1a&fbclid=abc',
  `xreSignature=${'0c1a'.repeat(16)}&a=1`,
])('a query without a signature stays: %j', (query) => expect(upToSignature(query)).toBe(query))
