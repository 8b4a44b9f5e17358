import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseCsv } from '#lab/csv.ts'

/** How many level 1 and 2 requirements each section of ASVS 5.0.0 has. Within a section, level 3 requirements come last. */
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

const rows = parseCsv(readFileSync('docs/data/asvs.csv', 'utf8')).map(({ requirement, verdict, proof }) => ({
  ids: requirement!,
  verdict: verdict!,
  proof: proof!,
}))

/** `6.2.1-6.2.12` covers everything in between. */
function numbersOf(ids: string): string[] {
  const [from, to = from] = ids.split('-') as [string, string?]
  const section = from.split('.').slice(0, 2).join('.')
  const [first, last] = [from, to].map((id) => Number(id!.split('.')[2]))
  return Array.from({ length: last! - first! + 1 }, (_, i) => `${section}.${first! + i}`)
}

describe('docs/data/asvs.csv', () => {
  test('lists every requirement of levels 1 and 2 once, in order', () => {
    expect(rows.flatMap(({ ids }) => numbersOf(ids))).toEqual(expected)
  })

  test.each(rows)('$ids cites a test, or states what is missing', ({ verdict, proof }) => {
    // tests/docs/defences.test.ts checks the tests themselves.
    const cites = /`tests\/[^`]+` “[^”]+”/.test(proof)
    expect(cites).toBe(['yes', 'in part'].includes(verdict))
    if (!cites) expect(['no', 'does not apply', 'paper']).toContain(verdict)
    if (verdict === 'in part') expect(proof).toMatch(/[;:] \S/)
    if (verdict === 'paper') expect(proof).toMatch(/docs\/[a-z]+\.md/)
    expect(proof.length).toBeGreaterThan(3)
  })
})
