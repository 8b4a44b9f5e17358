import type { Figure, Figures, Table } from './figures.ts'

/** Prints a set's figures, tables and notes. */
export function printFigures(set: string, figures: Figures, write: (line: string) => void): void {
  write('')
  write(`## ${set}`)
  if (figures.all.length === 0) write('Nothing to measure: the labels lack the columns that this asks for.')
  for (const line of aligned(figures.all.map(cellsOf))) write(line)
  for (const table of figures.tables) printTable(table, write)
  for (const note of figures.notes) write(`- ${note}`)
}

function cellsOf({ name, value, n, low, high }: Figure): string[] {
  const interval = low === undefined || high === undefined ? '' : `[${numeral(low)}, ${numeral(high)}]`
  return [name, numeral(value), interval, `n=${n.toLocaleString('en-GB')}`]
}

/** Formats a number with just enough digits to tell neighbouring values apart. */
export function numeral(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en-GB')
  const size = Math.abs(value)
  if (size < 0.001) return value.toExponential(2)
  return value.toFixed(size < 1 ? 4 : 2)
}

/** Prints figures by name, one per line. Counts and intervals are added to their figure's line. */
export function printNumbers(figures: Readonly<Record<string, number>>, width = 36): void {
  for (const [name, value] of Object.entries(figures)) {
    if (/\.(n|low|high)$/.test(name)) continue
    console.log(
      name.padEnd(width),
      Number.isInteger(value) ? value.toLocaleString('en-GB') : value.toFixed(2),
    )
  }
}

function printTable({ title, columns, rows }: Table, write: (line: string) => void): void {
  write('')
  write(`${title}:`)
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? numeral(cell) : cell)))
  for (const line of aligned([columns, ...cells])) write(`  ${line}`)
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length)
    })
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}
