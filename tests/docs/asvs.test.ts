import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; within a section those of level 3 come last. */
const sections: Readonly<Record<string, readonly number[]>> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
}

const expected = Object.entries(sections).flatMap(([chapter, counts]) =>
  counts.flatMap((count, section) =>
    Array.from({ length: count }, (_, i) => `${chapter}.${section + 1}.${i + 1}`),
  ),
)

const rows = readFileSync('docs/asvs.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, ids, what, verdict, proof] = /^\| ([\d.-]+) \| (.*) \| ([a-z ]+) \| (.*) \|$/.exec(line) ?? []
    return ids === undefined ? [] : [{ ids, what: what!, verdict: verdict!, proof: proof! }]
  })

/** `6.2.1-6.2.12` stands for all between. */
function numbersOf(ids: string): string[] {
  const [from, to = from] = ids.split('-') as [string, string?]
  const section = from.split('.').slice(0, 2).join('.')
  const [first, last] = [from, to].map((id) => Number(id!.split('.')[2]))
  return Array.from({ length: last! - first! + 1 }, (_, i) => `${section}.${first! + i}`)
}

/** What tests are called, as it stands in their file: behind `test(` and its like, and behind the table of `.each`. */
function titlesIn(text: string): string[] {
  const begins = /(?:\b(?:test|it|describe)(?:\.\w+)?|[)\]}])\(\s*(['"`])((?:\\.|(?!\1).)+)\1,/gs
  return [...text.matchAll(begins)].map(([, , title]) => title!.replaceAll(/\\(['"`])/g, '$1'))
}

describe('docs/asvs.md', () => {
  test('has every requirement of levels 1 and 2 once, in their order', () => {
    expect(rows.flatMap(({ ids }) => numbersOf(ids))).toEqual(expected)
  })

  test.each(rows)('$ids names tests that there are, or says what is missing', ({ verdict, proof }) => {
    const cited = [...proof.matchAll(/`((?:tests|e2e)\/[^`]+)`((?:,? “[^”]+”)*)/g)]
    if (['yes', 'in part'].includes(verdict)) expect(cited.length).toBeGreaterThan(0)
    else expect(['no', 'does not apply', 'paper']).toContain(verdict)
    if (verdict === 'in part') expect(proof).toMatch(/[;:] \S/)
    if (verdict === 'paper') expect(proof).toMatch(/\]\([a-z]+\.md/)
    expect(proof.length).toBeGreaterThan(3)
    for (const [, file, titles] of cited) {
      expect([file, existsSync(file!)]).toEqual([file, true])
      const names = [...titles!.matchAll(/“([^”]+)”/g)].map(([, name]) => name!)
      expect([file, names.length > 0]).toEqual([file, true])
      const there = titlesIn(readFileSync(file!, 'utf8'))
      for (const name of names) expect(there).toContain(name)
    }
  })

  test('finds a title where a test begins, and not in what is only said there', () => {
    const text = "test('is one', () => {\n  // is none\n  it.each([['said']])(\n    'is %s',"
    expect(titlesIn(text)).toEqual(['is one', 'is %s'])
  })
})
