import { createHash } from 'node:crypto'
import type { Row } from './csv.ts'
import type { DataSet } from './data-set.ts'

/**
 * [Note: A tuner sees one half] Every person of a set belongs to one of two halves, by a hash of the name: thresholds
 * and tables are calibrated on `tuning`, and the figures that we publish are measured on `held-out`.
 */
export type Part = 'tuning' | 'held-out' | 'all'

/** The pictures of a set that show people of one half; pairs stay where both belong to it. */
export function partOf(set: DataSet, part: Part): DataSet {
  if (part === 'all') return set
  const rows = set.rows.filter((row) => halfOf(row) === part)
  const kept = new Set(rows.map(({ file }) => file!))
  return { ...set, rows, pairs: set.pairs?.filter(({ a, b }) => kept.has(a) && kept.has(b)) }
}

/** Who is in a row, as far as its labels tell; without a name each file is a person of its own. */
export function personOf({ identity, subject, file }: Row): string {
  return identity || subject || file!
}

/** Whether a person may stand in both halves of a set: somebody in it has no name. */
export function isHalvedByPicture({ rows }: DataSet): boolean {
  return rows.some((row) => personOf(row) === row.file)
}

/** Which half a row belongs to. */
export function halfOf(row: Row): Exclude<Part, 'all'> {
  return createHash('sha256').update(personOf(row)).digest()[0]! % 2 === 0 ? 'tuning' : 'held-out'
}
