import { expect, test } from 'vitest'
import { canonicalQuery, QueryFault } from '#server/features/links/canonical-query.ts'

const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code))
/** The way a browser writes it in an address. */
const asBrowser = (query: string) => new URL(`https://a/?${query.replace(/^\?+/, '')}`).search.slice(1)

test.each([
  ['in the middle', (character: string) => `a=${character}b`],
  ['at the beginning', (character: string) => `${character}a=b`],
  ['with one that is encoded before it', (character: string) => `ä${character}b`],
])('every character is written as a browser does: %s', (_where, queryWith) => {
  for (const character of characters.filter((one) => one !== '#')) {
    const query = queryWith(character)
    const canonical = canonicalQuery(query)
    expect([character, canonical]).toEqual([character, asBrowser(query)])
    expect(canonicalQuery(canonical)).toBe(canonical)
  }
})

test('contains nothing that a browser would cut', () => {
  for (const query of ['#', 'a=b#', 'a=#b', 'ä#']) expect(() => canonicalQuery(query)).toThrow(QueryFault)
})

test('of nothing is empty', () => {
  for (const query of ['', '?', '??', '\t']) expect(canonicalQuery(query)).toBe('')
})
