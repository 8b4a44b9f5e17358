/** Formats a CSV line (RFC 4180), including its line break. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(written).join(',')}\r\n`
}

/**
 * [Note: Not a formula] Cells that a spreadsheet would evaluate, and cells that begin with an apostrophe, are prefixed with an apostrophe, which
 * `readCsv` removes. An apostrophe in front of any other text is kept, since tables from elsewhere contain such names.
 */
function written(cell: string): string {
  const safe = /^['=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A CSV's complete rows and the number of characters they take up. The rest is a truncated row. */
export interface CsvRows {
  readonly rows: readonly (readonly string[])[]
  readonly length: number
}

/**
 * Reads CSV as written by `csvLine` or by spreadsheets. Unless `isWhole` is set, a last row without a line break is left out, because a file that is
 * still being written may be incomplete.
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

/** Yields each cell, its terminator (empty at the end of the text) and the position of the next cell. */
function* cellsOf(text: string, isWhole: boolean): Generator<{ cell: string; end: string; next: number }> {
  const plain = /([^,"\r\n]*)(,|\r\n|\n|\r|$)/y
  const quoted = /"((?:[^"]|"")*)"(,|\r\n|\n|\r|$)/y
  const rest = /([^,\r\n]*)(,|\r\n|\n|\r|$)/y
  for (let at = 0; at <= text.length; ) {
    const found = matchAt(plain, text, at) ?? matchAt(quoted, text, at)
    // The closing quotation mark is missing.
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
