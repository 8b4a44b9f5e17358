import { csvText } from '#lab/csv.ts'
import type { Rate } from '../rates.ts'
import type { RecordedRows } from '../recorded.ts'
import type { Row } from '../rows.ts'

const shares = ['pass', 'standard', 'high', 'withinLimits', 'rival'] as const
const bounds = ['share', 'of', 'people', 'low', 'high'] as const

const columns = [
  ...['commit', 'combination', 'figure', 'seed', 'film', 'asked'],
  ...shares.flatMap((name) => bounds.map((bound) => `${name}.${bound}`)),
  'found',
]

/** `docs/data/attacks.csv`: all recorded rows, starting with the current state, and the server's findings in their sessions. */
export function attacksData({ commit, rows, baseline }: RecordedRows): string {
  return csvText([
    columns,
    ...rows.map((row) => lineOf(commit, row)),
    ...baseline.rows.map((row) => lineOf(baseline.commit, row)),
  ])
}

function lineOf(commit: string, row: Row): string[] {
  const { name, figure, seed, film = '', asked = '', rate, atStandard, atHigh, withinLimits, rival } = row
  const found = Object.entries(row.found).sort((a, b) => b[1] - a[1])
  return [
    ...[commit, name, figure, seed === undefined ? '' : String(seed), film, asked],
    ...[rate, atStandard, atHigh, withinLimits, rival?.rate].flatMap(cellsOf),
    found.map(([finding, count]) => `${finding} ${count}`).join('; '),
  ]
}

function cellsOf(rate: Rate | undefined): string[] {
  if (rate === undefined) return bounds.map(() => '')
  const { value, n, people, low, high } = rate
  return [value, n, people, low, high].map(String)
}
