import { readFileSync, writeFileSync } from 'node:fs'
import type { MeasuredState } from './measured-commit.ts'
import { flatten, type Row } from './rows.ts'

/** Rows that were all measured with the same state of the sources, and the baseline. */
export interface RecordedRows extends MeasuredState {
  readonly rows: readonly Row[]
  readonly baseline: Baseline
}

/** The rows that all later measurements are compared with, until a different commit becomes the baseline. */
export interface Baseline {
  /** The attacked product's commit. */
  readonly commit: string
  readonly rows: readonly Row[]
}

const file = 'lab/attacks/recorded.json'

export function readRecorded(): RecordedRows {
  return JSON.parse(readFileSync(file, 'utf8')) as RecordedRows
}

/** Records a run's rows and keeps all rows that it did not measure. */
export function record(state: MeasuredState, rows: readonly Row[]): RecordedRows {
  return write(withRows(readRecorded(), state, rows))
}

/** Saves a run's rows as part of the baseline. */
export function recordBaseline(commit: string, rows: readonly Row[]): RecordedRows {
  return write(withBaselineRows(readRecorded(), commit, rows))
}

function write(recorded: RecordedRows): RecordedRows {
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
  return recorded
}

/** Adds a run's rows. Rows that were measured with other sources are dropped, because they are outdated. */
export function withRows(before: RecordedRows, state: MeasuredState, rows: readonly Row[]): RecordedRows {
  const current = before.sources === state.sources ? before.rows : []
  return { ...state, rows: replaced(current, rows), baseline: before.baseline }
}

/** Adds the rows that a run measured at a commit to the baseline, and drops rows from other commits. */
export function withBaselineRows(before: RecordedRows, commit: string, rows: readonly Row[]): RecordedRows {
  const { baseline } = before
  const current = baseline.commit === commit ? baseline.rows : []
  return { ...before, baseline: { commit, rows: replaced(current, rows) } }
}

function replaced(before: readonly Row[], rows: readonly Row[]): Row[] {
  const measured = new Set(rows.map(keyOf))
  return [...before.filter((row) => !measured.has(keyOf(row))), ...rows]
}

const keyOf = ({ name, figure, film, asked }: Row) => `${name} ${figure} ${film ?? ''} ${asked ?? ''}`

/**
 * The combinations with an interval entirely above the recorded one, so that a few lucky sessions do not raise an alarm. Also includes
 * combinations that were never recorded.
 */
export function furtherThan(recorded: readonly Row[], measured: readonly Row[]): string[] {
  return measured
    .filter(({ figure }) => figure === 'apcer')
    .filter((row) => {
      const known = recorded.find((one) => keyOf(one) === keyOf(row))
      return row.rate.low > (known?.rate.high ?? Number.NEGATIVE_INFINITY)
    })
    .map((row) => Object.keys(flatten([row]))[0]!)
}
