import { readFileSync, writeFileSync } from 'node:fs'
import type { MeasuredState } from './measured-commit.ts'
import { flatten, type Row } from './rows.ts'

/** Rows, and the one state of the sources that all of them were measured at. */
export interface Recorded extends MeasuredState {
  readonly rows: readonly Row[]
  /** What was recorded last at other sources: it says nothing of these, and is shown apart, under its commit. */
  readonly former?: Former | undefined
}

export interface Former {
  readonly commit: string
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
 * state. They become the former ones, less those that were measured anew.
 */
export function joined(before: Recorded, newer: Recorded): Recorded {
  const measured = new Set(newer.rows.map(keyOf))
  const others = ({ rows }: { readonly rows: readonly Row[] }) =>
    rows.filter((row) => !measured.has(keyOf(row)))
  const isSame = before.sources === newer.sources
  const isFormer = !isSame && before.rows.length > 0
  const former = isFormer ? { commit: before.commit, rows: before.rows } : before.former
  const left = former && { commit: former.commit, rows: others(former) }
  return {
    ...newer,
    rows: [...(isSame ? others(before) : []), ...newer.rows],
    ...(left !== undefined && left.rows.length > 0 && { former: left }),
  }
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
