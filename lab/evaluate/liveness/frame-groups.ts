import type { Row } from '#lab/csv.ts'
import { personOf } from '#lab/evaluate/part.ts'
import { attackOf } from '#lab/evaluate/running/judged-picture.ts'
import { groupBy } from '#lab/statistics/bootstrap.ts'

/** If a set has on average at least this many pictures per recording, it contains frames of recordings rather than photographs. */
const fewestFrames = 3

/**
 * Groups a set's pictures into recordings with the same person, kind of attack, session and instrument, as far as the labels include these. In a set
 * of photographs, each picture is its own group.
 */
export function groupFrames<T extends { readonly row: Row }>(pictures: readonly T[]): T[][] {
  const groups = [...groupBy(pictures, ({ row }) => recordingOf(row)).values()]
  return pictures.length >= fewestFrames * groups.length ? groups : pictures.map((one) => [one])
}

function recordingOf(row: Row): string {
  return [personOf(row), attackOf(row) ?? '', row.session ?? '', row.instrument ?? ''].join('\n')
}
