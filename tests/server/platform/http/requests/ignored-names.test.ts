import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { declaredMembers } from '#server/platform/http/requests/declared-members.ts'
import { ignoredNamesList } from '#server/platform/http/requests/ignored-names.ts'
import { jsonObject, jsonRecord } from '#shared/contract/elements.ts'
import { section } from '#shared/contract/sections.ts'

const schema = jsonObject({
  name: v.string(),
  description: v.optional(v.nullable(v.string())),
  faceMatchThreshold: v.optional(v.number(), 80),
  image: v.pipe(v.optional(v.pipe(jsonObject({ url: v.optional(v.string()) }), v.description('A picture.')))),
  free: v.optional(jsonRecord(v.nullable(v.string()))),
  faces: v.optional(v.array(jsonObject({ time: v.optional(v.number()) }))),
  config: v.optional(section({ type: v.optional(v.string()) })),
})

const read = (sent: unknown) => {
  const ignored = new Map<string, readonly string[]>()
  return { value: declaredMembers(schema, sent, ignored), list: ignoredNamesList(ignored) }
}

describe('members of an interface endpoint', () => {
  test('null counts as absent for an optional member at any depth, and nowhere else', () => {
    const sent = {
      name: null,
      description: null,
      faceMatchThreshold: null,
      image: { url: null },
      free: { a: null },
      faces: [{ time: null }, null],
      config: { type: null, 'x-own': null },
    }
    expect(read(sent).value).toEqual({
      name: null,
      description: null,
      image: {},
      free: { a: null },
      faces: [{}, null],
      config: { 'x-own': null },
    })
    expect(read(sent).list).toBe('')
  })

  test('lists unknown names in order, with the nearest known one, and none of free-form objects', () => {
    const sent = JSON.parse(
      '{"threshold":99,"image":{"urls":"","zebra":1},"free":{"other":"x"},"faces":[{"tim":1}],"config":{"x-own":1},"__proto__":{},"ä":1}',
    )
    const near = 'threshold;near="faceMatchThreshold", urls;near="url", zebra, tim;near="time", "?"'
    expect(read(sent).list).toBe(near)
    expect(Object.entries(read(sent).value as object)).toEqual(Object.entries(sent))
  })

  test.each(['text', 7, null, [], [{ threshold: 1 }]])('leaves what is no object alone: %j', (sent) => {
    expect(read(sent)).toEqual({ value: sent, list: '' })
  })
})

describe('the list of ignored names', () => {
  const list = (names: readonly string[]) => ignoredNamesList(new Map(names.map((name) => [name, []])))
  /** RFC 9651: tokens, or the string "?", each with no more than one string parameter. */
  const rfc = /^(?:(?:[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,63}|"\?")(?:;near="[\x20-\x7e]*")?(?:, (?!$)|$))*$/

  test('is a list of RFC 9651 of at most 500 bytes, for any names', () => {
    const name = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a"b', 'a,b', 'more', 'x'.repeat(64), 'x'.repeat(65)),
    )
    fc.assert(
      fc.property(fc.array(name, { maxLength: 300 }), (names) => {
        const text = list(names)
        expect(text).toMatch(rfc)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(500)
      }),
    )
  })

  test('ends with more if it is cut, and repeats nothing', () => {
    const many = Array.from({ length: 100 }, (_, i) => `name${i}`)
    expect(list(many)).toMatch(/^name0, name1, .*, more$/)
    expect(list(['ä', 'ö', 'x'.repeat(65)])).toBe('"?"')
  })
})
