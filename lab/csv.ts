import { parse } from 'csv-parse/sync'

/** A table row, keyed by column name. */
export type Row = Readonly<Record<string, string>>

/** Parses a CSV with a header line. Columns that are missing at the end of a row are empty. */
export function parseCsv(text: string): Row[] {
  const options = { bom: true, relax_column_count: true, skip_empty_lines: true }
  const [head, ...records] = parse(text, options)
  if (head === undefined) return []
  return records.map((fields) => Object.fromEntries(head.map((name, i) => [name.trim(), fields[i] ?? ''])))
}

/** Formats rows as a CSV file (RFC 4180, with line feeds). */
export function csvText(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return rows.map((row) => `${row.map(quoted).join(',')}\n`).join('')
}
