import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseWithPictures } from '#server/platform/http/requests/json-with-pictures.ts'

describe('JSON with long strings', () => {
  test('is parsed like JSON.parse, whatever is long and wherever it is', () => {
    const unit = fc.constantFrom('a', '"', '\\', ':', ' ', ',', '}', 'é', '😀', '\n')
    const words = fc.oneof(fc.string({ unit, maxLength: 30 }), fc.constant('A'.repeat(20)))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, words, fc.integer(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(words, tie('value'), { maxKeys: 4 }),
    }))
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (one, space) => {
        const text = JSON.stringify(one, null, space)
        expect(parseWithPictures(text, 5)).toEqual(JSON.parse(text))
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    '{"a":"AAAAAAAAAA"',
    '{"a":"AAAAAAAAAA',
    '"AAAAAAAAAA""',
    'AAAA"AAAAAAAAAA"',
    '{"a":"AAAAAAAAAA\\"',
    '["AAAAAAAAAA" "AAAAAAAAAA"]',
  ])('that is malformed is refused: %s', (text) => {
    expect(() => parseWithPictures(text, 5)).toThrow(SyntaxError)
  })

  test('keeps a member named like the prototype', () => {
    const text = '{"__proto__":"AAAAAAAAAA","b":1}'
    expect(Object.entries(parseWithPictures(text, 5) as object)).toEqual(Object.entries(JSON.parse(text)))
  })
})
