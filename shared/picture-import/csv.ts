/** A line of CSV (RFC 4180) with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(written).join(',')}\r\n`
}

/**
 * [Note: Not a formula] Cells that a spreadsheet would compute, and cells that begin with an apostrophe, get an apostrophe in front, which `readCsv`
 * removes. An apostrophe before any other text stays, since other tables contain such names.
 */
function written(cell: string): string {
  const safe = /^['=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The complete rows of a CSV and the number of characters they take. The rest is a truncated row. */
export interface CsvRows {
  readonly rows: readonly (readonly string[])[]
  readonly length: number
}

/**
 * Reads CSV as written by `csvLine` or spreadsheets. Without `isWhole`, a last row that lacks its line end is left out: in a file that
 * is still being written it may be incomplete.
 */
export function readCsv(text: string, isWhole: boolean): CsvRows {
  const rows: string[][] = []
  let row: string[] = []
  let length = 0
  for (const { cell, end, next } of cellsOf(text, isWhole)) {
    if (end === '' && !isWhole) break
    row.push(/^'['=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
    if (end === ',') continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    length = next
  }
  return { rows, length }
}

/** Yields each cell, its terminator (empty at the end of the text) and the start of the next cell. */
function* cellsOf(text: string, isWhole: boolean): Generator<{ cell: string; end: string; next: number }> {
  const plain = /([^,"\r\n]*)(,|\r\n|\n|\r|$)/y
  const quoted = /"((?:[^"]|"")*)"(,|\r\n|\n|\r|$)/y
  const rest = /([^,\r\n]*)(,|\r\n|\n|\r|$)/y
  for (let at = 0; at <= text.length; ) {
    const found = matchAt(plain, text, at) ?? matchAt(quoted, text, at)
    // The closing quotation mark was cut off.
    if (found === undefined && text[at] === '"' && !isWhole) return
    const [whole, cell, end] = found ?? matchAt(rest, text, at)!
    const next = at + whole!.length
    const isQuoted = whole!.startsWith('"') && text[at] === '"' && !cell!.startsWith('"')
    yield { cell: isQuoted ? cell!.replaceAll('""', '"') : cell!, end: end!, next }
    if (end === '') return
    at = next
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
