import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestPieces } from '#server/features/idempotency/request-pieces.ts'

/** Does the same in one go. */
function whole(query: string, body: unknown): string {
  return JSON.stringify([query, body ?? null], (_name, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

test('the pieces of a request are its text, whichever strings are long, and wherever characters are cut', () => {
  const unit = fc.constantFrom('a', '"', '\\', '😀', 'é', '\n', '\ud800', '\udc00')
  const words = fc.string({ unit, maxLength: 12 })
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, words, fc.integer(), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(words, tie('value'), { maxKeys: 4 }),
  }))
  fc.assert(
    fc.property(
      words,
      fc.option(value, { nil: undefined }),
      fc.integer({ min: 2, max: 5 }),
      (query, body, slice) => {
        expect([...requestPieces({ query, body }, slice)].join('')).toBe(whole(query, body))
      },
    ),
    { numRuns: 1000 },
  )
})

test('no piece of a request with a picture is longer than a slice', () => {
  const body = { image: { bytes: 'A'.repeat(1_000_000) } }
  const lengths = [...requestPieces({ query: '', body })].map(({ length }) => length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(128 * 1024)
})
