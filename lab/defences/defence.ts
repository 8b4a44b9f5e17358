import { parseCsv } from '../evaluate/csv.ts'

/**
 * A defence that a row of docs/data/asvs.csv or docs/data/defences.csv claims, with the change that removes it and the test that
 * fails then. A row whose test passes without the defence proves nothing.
 */
export interface Defence {
  /** The number of a row of docs/data/asvs.csv, or the first words of the threat of a row of docs/data/defences.csv. */
  readonly rows: readonly string[]
  readonly test: NamedTest
  /** The changes of the source that remove the defence; several if a second defence covers for the first. */
  readonly without: readonly Change[]
}

/** A test by its file and by the title that its source gives it, placeholders included. */
export type NamedTest = readonly [file: string, title: string]

/** A replacement in a file of the product. The text occurs there exactly once, so that a later edit cannot move it elsewhere. */
export type Change = readonly [file: string, text: string, replacement: string]

/** A row of a table that claims defences. */
export interface Row {
  readonly name: string
  readonly tests: readonly NamedTest[]
}

/** The rows of a CSV file that cite tests in one column, by the name in another. */
export function rowsOf(csv: string, name: string, proof: string): Row[] {
  return parseCsv(csv).flatMap((row) => {
    const tests = citedIn(row[proof] ?? '')
    return tests.length === 0 ? [] : [{ name: row[name]!, tests }]
  })
}

/** The tests that a text cites: a file in backquotes followed by titles in quotation marks. */
function citedIn(text: string): NamedTest[] {
  const files = text.matchAll(/`((?:tests|e2e)\/[^`]+)`((?:,? “[^”]+”)*)/g)
  return [...files].flatMap(([, file, titles]) => {
    const quoted = [...titles!.matchAll(/“([^”]+)”/g)]
    return quoted.length === 0 ? [[file!, ''] as const] : quoted.map(([, title]) => [file!, title!] as const)
  })
}

/** Finds the rows with this name, or with these first words. A name is valid if it matches exactly one row. */
export function rowsNamed(rows: readonly Row[], name: string): Row[] {
  const same = rows.filter((row) => row.name === name)
  return same.length > 0 ? same : rows.filter((row) => row.name.startsWith(name))
}

/** Matches the complete titles that a runner reports for a title with placeholders of `test.each` or of a template. */
export function patternOf(title: string): RegExp {
  const placeholder = /%(?:\.\d+)?[sdifjoO#]|\$\{[^}]+\}|\$[\w.]+/
  const words = title.split(placeholder).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  return new RegExp(`^${words.join('[\\s\\S]*')}$`)
}

/** The titles of the tests of a source file, after `test(` and its variants, and after the table of `.each`. */
export function titlesIn(source: string): string[] {
  const begins = /(?:\b(?:test|it|describe)(?:\.\w+)?|[)\]}])\(\s*(['"`])((?:\\.|(?!\1).)+)\1,/gs
  return [...source.matchAll(begins)].map(([, , title]) => title!.replaceAll(/\\(['"`])/g, '$1'))
}
