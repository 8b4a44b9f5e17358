import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseCsv } from '#lab/csv.ts'
import { type NamedTest, rowsNamed, rowsOf, titlesIn } from '#lab/defences/defence.ts'
import { defences } from '#lab/defences/list.ts'

const claims = readFileSync('docs/data/defences.csv', 'utf8')
const ofSecurity = rowsOf(claims, 'threat', 'tests')
const rows = [...rowsOf(readFileSync('docs/data/asvs.csv', 'utf8'), 'requirement', 'proof'), ...ofSecurity]

const sources = new Map<string, string>()
function sourceOf(file: string): string {
  const source = sources.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '')
  sources.set(file, source)
  return source
}

const cited = ([file, title]: NamedTest) => `${file} “${title}”`
const each = (tests: readonly NamedTest[]) => [...new Set(tests.map(cited))].sort()

describe('a row that claims a defence', () => {
  test('cites a test, whatever else it says', () => {
    const claimed = parseCsv(claims)
    expect(claimed.length).toBeGreaterThan(80)
    expect(ofSecurity).toHaveLength(claimed.length)
  })

  test.each(rows)('$name: cites the tests of its defences, and no other', ({ name, tests }) => {
    const own = defences.filter(({ rows: names }) =>
      names.some((one) => rowsNamed(rows, one).some((row) => row.name === name)),
    )
    expect(each(tests)).toEqual(each(own.map((defence) => defence.test)))
  })
})

describe('a defence', () => {
  test('belongs to one row for each of its names', () => {
    const names = new Set(defences.flatMap((defence) => defence.rows))
    expect([...names].filter((name) => rowsNamed(rows, name).length !== 1)).toEqual([])
  })

  test('names a test that its file has under this title', () => {
    const missing = defences.filter(({ test: [file, title] }) => !titlesIn(sourceOf(file)).includes(title))
    expect(missing.map((defence) => cited(defence.test))).toEqual([])
  })

  test('changes text that occurs once in its file', () => {
    const changes = defences.flatMap(({ without }) => without)
    const lost = changes.filter(([file, text]) => sourceOf(file).split(text).length !== 2)
    expect(lost.map(([file, text]) => `${file}: ${text}`)).toEqual([])
    expect(changes.filter(([, text, replacement]) => text === replacement)).toEqual([])
    expect(defences.filter(({ without }) => without.length === 0)).toEqual([])
  })
})

test('a title is found at the start of a test, and not inside other text', () => {
  const text = "test('is one', () => {\n  // is none\n  it.each([['said']])(\n    'is %s',"
  expect(titlesIn(text)).toEqual(['is one', 'is %s'])
})
