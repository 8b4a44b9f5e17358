import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type JsonSize, measureJson } from '#server/platform/http/requests/json-size.ts'

/** Examines the characters one by one. */
function measuredSlowly(text: string): JsonSize {
  let [deepest, depth, values, isString] = [0, 0, 1, false]
  for (let i = 0; i < text.length; i++) {
    const unit = text[i]!
    if (isString && unit === '\\') values += Number(text[++i] === '"')
    else if (unit === '"') isString = !isString
    else if (isString) continue
    else if (unit === ',') values++
    else if ('[{'.includes(unit)) deepest = Math.max(deepest, ++depth)
    else if (']}'.includes(unit)) depth--
  }
  return { depth: deepest, values }
}

const odd = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', ']', '}', 'a'), maxLength: 40 })

test('measures valid and invalid JSON like an examination of each character', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), odd), (text) => {
      expect(measureJson(text)).toEqual(measuredSlowly(text))
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['depth', '['],
  ['values', ','],
  ['escaped quotes', '\\"'],
])('stops at the first excess of %s', (_name, piece) => {
  const most = { depth: 32, values: 100 }
  const start = piece.startsWith('\\') ? '"' : ''
  const looked = vi.spyOn(String.prototype, 'charCodeAt')
  const { depth, values } = measureJson(start + piece.repeat(1000), most)
  const looks = looked.mock.calls.length
  looked.mockRestore()
  expect(depth > most.depth || values > most.values).toBe(true)
  expect(looks).toBeLessThan(500)
})

test('skips over a picture: 14 MB of base64 take less time than examining 1 MB would', () => {
  const text = JSON.stringify({ image: { bytes: 'A'.repeat(14_000_000) } })
  const small = JSON.stringify({ image: { bytes: 'A'.repeat(1_000_000) } })
  const best = (measure: () => unknown) =>
    Math.min(
      ...Array.from({ length: 7 }, () => {
        const began = performance.now()
        measure()
        return performance.now() - began
      }),
    )
  expect(best(() => measureJson(text))).toBeLessThan(best(() => measuredSlowly(small)))
})
