import { parseCsv } from '../csv.ts'

/**
 * A defence claimed by a row in docs/data/asvs.csv or docs/data/defences.csv, with the change that removes it and the test that then fails. If the
 * test passes without the defence, the row proves nothing.
 */
export interface Defence {
  /** The number of a row in docs/data/asvs.csv, or the first words of a row's threat in docs/data/defences.csv. */
  readonly rows: readonly string[]
  readonly test: NamedTest
  /** The source changes that remove the defence. There are several if a second defence would cover for the first one. */
  readonly without: readonly Change[]
}

/** A test, given by its file and by its title as written in the source, including placeholders. */
export type NamedTest = readonly [file: string, title: string]

/**
 * A replacement in one of the product's files. The text must occur exactly once, so that a later edit cannot make the change hit a different place.
 */
export type Change = readonly [file: string, text: string, replacement: string]

/** A row of a table that lists defences. */
export interface Row {
  readonly name: string
  readonly tests: readonly NamedTest[]
}

/** Reads the rows of a CSV file that cite tests in the `proof` column, along with their names from the `name` column. */
export function rowsOf(csv: string, name: string, proof: string): Row[] {
  return parseCsv(csv).flatMap((row) => {
    const tests = citedIn(row[proof] ?? '')
    return tests.length === 0 ? [] : [{ name: row[name]!, tests }]
  })
}

/** The tests cited in a text, as a file in backquotes followed by titles in quotation marks. */
function citedIn(text: string): NamedTest[] {
  const files = text.matchAll(/`((?:tests|e2e)\/[^`]+)`((?:,? “[^”]+”)*)/g)
  return [...files].flatMap(([, file, titles]) => {
    const quoted = [...titles!.matchAll(/“([^”]+)”/g)]
    return quoted.length === 0 ? [[file!, ''] as const] : quoted.map(([, title]) => [file!, title!] as const)
  })
}

/** Finds the rows with this name, or with a name that begins with these words. A name is only valid if it matches exactly one row. */
export function rowsNamed(rows: readonly Row[], name: string): Row[] {
  const same = rows.filter((row) => row.name === name)
  return same.length > 0 ? same : rows.filter((row) => row.name.startsWith(name))
}

/** Matches the full titles that a runner reports for a title with placeholders from `test.each` or a template. */
export function patternOf(title: string): RegExp {
  const placeholder = /%(?:\.\d+)?[sdifjoO#]|\$\{[^}]+\}|\$[\w.]+/
  const words = title.split(placeholder).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  return new RegExp(`^${words.join('[\\s\\S]*')}$`)
}

/** The titles of the tests in a source file, found after `test(` and its variants and after the table of `.each`. */
export function titlesIn(source: string): string[] {
  const begins = /(?:\b(?:test|it|describe)(?:\.\w+)?|[)\]}])\(\s*(['"`])((?:\\.|(?!\1).)+)\1,/gs
  return [...source.matchAll(begins)].map(([, , title]) => title!.replaceAll(/\\(['"`])/g, '$1'))
}
