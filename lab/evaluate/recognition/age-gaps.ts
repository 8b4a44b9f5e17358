import type { Row } from '#lab/csv.ts'
import type { Figures } from '#lab/evaluate/figures.ts'
import { cosineOf } from '../../../models/rules/similarity.ts'
import type { AllPairs } from './all-pairs.ts'

const gaps: readonly (readonly [from: number, to: number])[] = [
  [0, 4],
  [5, 9],
  [10, 19],
  [20, 100],
]
const score = 80

/** How many pairs of the same person fail at a score of 80, by the number of years between the pictures. */
export function addAgeGaps(figures: Figures, { genuine, samples }: AllPairs, rows: readonly Row[]): void {
  const years = Array.from(genuine.a, (a, i) =>
    Math.abs(Number(rows[a]!.age) - Number(rows[genuine.b[i]!]!.age)),
  )
  const threshold = cosineOf(score, samples.model)
  const lines = gaps.map(([from, to]) => {
    const cosines = genuine.cosines.filter((_, i) => years[i]! >= from && years[i]! <= to)
    const missed = cosines.filter((cosine) => cosine < threshold).length
    return [`${from} to ${to}`, missed / cosines.length, cosines.length] as const
  })
  figures.table({
    title: `Pairs of one person that fail at a score of ${score}, by the years between the pictures`,
    columns: ['years', 'fail', 'pairs'],
    rows: lines.filter(([, , count]) => count > 0),
  })
}
