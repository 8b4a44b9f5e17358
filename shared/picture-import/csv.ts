/** A line of CSV (RFC 4180) with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(written).join(',')}\r\n`
}

/**
 * [Note: Not a formula] A cell that a spreadsheet would compute gets an apostrophe before it, which `readCsv` takes away again; so does one
 * that begins with one. The apostrophe of a name in somebody's own table stays.
 */
function written(cell: string): string {
  const safe = /^['=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** What was read of a CSV: its whole rows, and how many characters they take. What follows them is a row that was cut off. */
export interface CsvRows {
  readonly rows: readonly (readonly string[])[]
  readonly length: number
}

/**
 * Reads CSV as `csvLine` writes it, and as spreadsheets do. A last row without an end of line is only taken where `isWhole`: in a file that
 * is still being written it is one that was cut off.
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

/** Each cell, what ends it (nothing at the end of the text), and where the next one begins. */
function* cellsOf(text: string, isWhole: boolean): Generator<{ cell: string; end: string; next: number }> {
  const plain = /([^,"\r\n]*)(,|\r\n|\n|\r|$)/y
  const quoted = /"((?:[^"]|"")*)"(,|\r\n|\n|\r|$)/y
  const rest = /([^,\r\n]*)(,|\r\n|\n|\r|$)/y
  for (let at = 0; at <= text.length; ) {
    const found = matchAt(plain, text, at) ?? matchAt(quoted, text, at)
    // One whose second quotation mark was cut off.
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
