import { readFileSync, writeFileSync } from 'node:fs'
import type { MeasuredState } from './measured-commit.ts'
import { flatten, type Row } from './rows.ts'

/** Rows, and the one state of the sources that all of them were measured at. */
export interface Recorded extends MeasuredState {
  readonly rows: readonly Row[]
}

const file = 'lab/attacks/recorded.json'

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(file, 'utf8')) as Recorded
}

/** Keeps what a run measured. */
export function record(newer: Recorded): Recorded {
  const recorded = joined(readRecorded(), newer)
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
  return recorded
}

/**
 * What a run measured, and of what was there only the rows that were measured at the same sources: others say nothing of this
 * one, and are dropped.
 */
export function joined(before: Recorded, newer: Recorded): Recorded {
  const measured = new Set(newer.rows.map(keyOf))
  const kept = before.sources === newer.sources ? before.rows.filter((row) => !measured.has(keyOf(row))) : []
  return { ...newer, rows: [...kept, ...newer.rows] }
}

const keyOf = ({ name, figure, film, asked }: Row) => `${name} ${figure} ${film ?? ''} ${asked ?? ''}`

/**
 * The combinations that get further than their recorded interval allows: what is measured lies above it with its whole own
 * interval, so that a few sessions by chance are no alarm. One that was never recorded is one of them.
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
