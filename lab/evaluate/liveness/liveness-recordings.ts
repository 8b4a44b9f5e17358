import type { Figures } from '#lab/evaluate/figures.ts'
import { groupBy } from '#lab/statistics/bootstrap.ts'
import { quantile } from '#lab/statistics/quantile.ts'
import type { ScoredPresentation } from './liveness-figures.ts'
import { presentationErrors } from './presentation.ts'

/** Error rates per unaltered recording. A recording without a frame that can be judged is not accepted. */
export function addRecordings(figures: Figures, scored: readonly ScoredPresentation[]): void {
  const { worst, byType, bonaFide } = presentationErrors(
    scored.map(({ attack, isLive }) => ({ attackType: attack, accepted: isLive })),
  )
  if (worst !== undefined) figures.rate('apcerClips', worst.wrong, worst.of)
  for (const [type, { wrong, of }] of byType) figures.rate(`apcerClips.${type}`, wrong, of)
  figures.rate('bpcerClips', bonaFide.wrong, bonaFide.of)
  figures.table({
    title: 'Recordings by the product’s limit',
    columns: ['type', 'recordings', 'people', 'frames that count', 'accepted', 'lowest', 'median', 'highest'],
    rows: [...groupBy(scored, ({ attack }) => attack ?? 'living')].map(([type, own]) => {
      const scores = own.map(({ score }) => score)
      return [
        type,
        own.length,
        new Set(own.map(({ person }) => person)).size,
        own.reduce((sum, { fairFrames }) => sum + fairFrames, 0),
        own.filter(({ isLive }) => isLive).length,
        ...[0, 0.5, 1].map((share) => quantile(scores, share).toFixed(3)),
      ]
    }),
  })
  const pictures = scored.filter(({ kind }) => kind === 'picture').length
  if (pictures > 0)
    figures.note(`${pictures} recordings are a single picture, as if it had been held to the camera.`)
}
