import { parse } from 'csv-parse/sync'

/** A row of a table, keyed by column name. */
export type Row = Readonly<Record<string, string>>

/** The rows of a CSV with a header line. Missing columns at the end of a row are empty. */
export function parseCsv(text: string): Row[] {
  const options = { bom: true, relax_column_count: true, skip_empty_lines: true }
  const [head, ...records] = parse(text, options)
  if (head === undefined) return []
  return records.map((fields) => Object.fromEntries(head.map((name, i) => [name.trim(), fields[i] ?? ''])))
}
