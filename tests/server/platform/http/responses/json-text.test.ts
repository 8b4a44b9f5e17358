import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonText } from '#server/platform/http/responses/json-text.ts'

const neverOver = { isOver: () => false, next: async () => undefined }
const items = fc.array(fc.oneof(fc.jsonValue(), fc.constant(undefined)), { maxLength: 5 })
/** Longer than a single slice of output. */
const long = items.map((some) => Array.from({ length: 201 }, (_, i) => some[i % Math.max(1, some.length)]))

describe('the text of an answer', () => {
  test('equals JSON.stringify, wherever it has long lists', async () => {
    const member = fc.oneof(fc.jsonValue(), fc.constant(undefined), long)
    const answers = fc.oneof(fc.dictionary(fc.string(), member), long, fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        expect(String(await jsonText(answer, neverOver))).toBe(JSON.stringify(answer))
      }),
    )
  })

  test('of a short answer is available at once', () => {
    expect(jsonText({ list: Array(200).fill(0) })).toBe(JSON.stringify({ list: Array(200).fill(0) }))
    expect(jsonText('text')).toBe('"text"')
  })

  test('of a long one is written in pieces of twenty items, and yields after each', async () => {
    let pauses = 0
    const turns = { isOver: () => true, next: async () => void pauses++ }
    await jsonText({ before: 1, list: Array(2000).fill({ a: 1 }), after: 2 }, turns)
    expect(pauses).toBeGreaterThanOrEqual(2000 / 20)
  })
})
