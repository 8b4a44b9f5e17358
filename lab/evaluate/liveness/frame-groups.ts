import type { Row } from '#lab/evaluate/csv.ts'
import { personOf } from '#lab/evaluate/part.ts'
import { attackOf } from '#lab/evaluate/running/judged-picture.ts'
import { groupBy } from '#lab/evaluate/statistics/bootstrap.ts'

/** From so many pictures a recording on, on average, a set holds frames of recordings and not photographs. */
const fewestFrames = 3

/**
 * The pictures of a set as recordings: those of one person, one kind of attack, one session and one instrument, as far as the labels
 * tell them. In a set of photographs each stands for itself.
 */
export function groupFrames<T extends { readonly row: Row }>(pictures: readonly T[]): T[][] {
  const groups = [...groupBy(pictures, ({ row }) => recordingOf(row)).values()]
  return pictures.length >= fewestFrames * groups.length ? groups : pictures.map((one) => [one])
}

function recordingOf(row: Row): string {
  return [personOf(row), attackOf(row) ?? '', row.session ?? '', row.instrument ?? ''].join('\n')
}
