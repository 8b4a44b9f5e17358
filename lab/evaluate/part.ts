import { createHash } from 'node:crypto'
import type { Row } from '#lab/csv.ts'
import type { DataSet } from './data-set.ts'

/**
 * [Note: A tuner sees one half] A hash of the name assigns each person in a set to one of two halves. Thresholds and tables are calibrated on
 * `tuning`, and the published figures are measured on `held-out`.
 */
export type Part = 'tuning' | 'held-out' | 'all'

/** The pictures of a set that show people of one half. Pairs are kept if both pictures belong to it. */
export function partOf(set: DataSet, part: Part): DataSet {
  if (part === 'all') return set
  const rows = set.rows.filter((row) => halfOf(row) === part)
  const kept = new Set(rows.map(({ file }) => file!))
  return { ...set, rows, pairs: set.pairs?.filter(({ a, b }) => kept.has(a) && kept.has(b)) }
}

/** The person of a row if its labels name one; otherwise each file counts as a different person. */
export function personOf({ identity, subject, file }: Row): string {
  return identity || subject || file!
}

/** True if a person may be in both halves of a set, because some rows have no name. */
export function isHalvedByPicture({ rows }: DataSet): boolean {
  return rows.some((row) => personOf(row) === row.file)
}

/** The half that a row belongs to. */
export function halfOf(row: Row): Exclude<Part, 'all'> {
  return createHash('sha256').update(personOf(row)).digest()[0]! % 2 === 0 ? 'tuning' : 'held-out'
}
