import type { Figures } from '#lab/evaluate/figures.ts'
import { attackOf, judgedOf } from '#lab/evaluate/running/judged-picture.ts'
import { fairFaces, type Point, scoreOfRecording } from '#lab/evaluate/running/recordings.ts'
import { groupBy } from '#lab/evaluate/statistics/bootstrap.ts'
import { quantile } from '#lab/evaluate/statistics/quantile.ts'
import { clipIsLiveFrom } from '#models/rules/liveness/liveness-fusion.ts'
import type { Scored } from './liveness-figures.ts'
import { perturbations } from './perturbations.ts'
import { type Errors, type PresentationErrors, presentationErrors, rateOf } from './presentation.ts'

/** Errors by recording as recorded. One without a frame to judge is not accepted. */
export function addRecordings(figures: Figures, scored: readonly Scored[]): void {
  const { worst, byType, bonaFide } = errorsOf(scored)
  if (worst !== undefined) figures.rate('apcerClips', worst.wrong, worst.of)
  for (const [type, { wrong, of }] of byType) figures.rate(`apcerClips.${type}`, wrong, of)
  figures.rate('bpcerClips', bonaFide.wrong, bonaFide.of)
  figures.table({
    title: `Recordings, living from ${clipIsLiveFrom}`,
    columns: ['type', 'recordings', 'people', 'frames that count', 'accepted', 'lowest', 'median', 'highest'],
    rows: [...groupBy(scored, ({ attack }) => attack ?? 'living')].map(([type, own]) => {
      const scores = own.map(({ score }) => score)
      return [
        type,
        own.length,
        new Set(own.map(({ person }) => person)).size,
        own.reduce((sum, { fairFrames }) => sum + fairFrames, 0),
        scores.filter((score) => score >= clipIsLiveFrom).length,
        ...[0, 0.5, 1].map((share) => quantile(scores, share).toFixed(3)),
      ]
    }),
  })
  const pictures = scored.filter(({ kind }) => kind === 'picture').length
  if (pictures > 0)
    figures.note(`${pictures} recordings are a single picture, as if it had been held to the camera.`)
}

/**
 * Errors by recording at each point of the grid of perturbations.
 *
 * [Note: The worst point counts] Whoever shows a replay chooses what to do to it. The grid's worst point for attacks and
 * its worst point for living people are reported beside the plain figures; so are those of its frames as single pictures.
 */
export function addGrid(figures: Figures, grid: readonly Point[]): void {
  const points = perturbations.map(({ name }) => pointOf(name, grid))
  addWorst(
    figures,
    'worstApcerClips',
    points.flatMap(({ clips }) => clips.worst ?? []),
  )
  addWorst(
    figures,
    'worstBpcerClips',
    points.map(({ clips }) => clips.bonaFide),
  )
  addWorst(
    figures,
    'worstApcer',
    points.flatMap(({ frames }) => frames.worst ?? []),
  )
  addWorst(
    figures,
    'worstBpcer',
    points.map(({ frames }) => frames.bonaFide),
  )
  figures.table({
    title: 'Under perturbations: recordings, and their frames as single pictures',
    columns: [
      'perturbation',
      'attacks passed',
      'highest',
      'living refused',
      'lowest',
      'frames passed',
      'frames refused',
    ],
    rows: points.map(({ name, scored, clips, frames }) => [
      name,
      countOf([...clips.byType.values()]),
      extreme(scored, false, Math.max),
      countOf([clips.bonaFide]),
      extreme(scored, true, Math.min),
      countOf([...frames.byType.values()]),
      countOf([frames.bonaFide]),
    ]),
  })
}

function pointOf(name: string, grid: readonly Point[]) {
  const here = grid.filter(({ perturbation }) => perturbation === name)
  const scored = here.map(({ row, faces }) => ({ attack: attackOf(row), score: scoreOfRecording(faces) }))
  const frames = presentationErrors(
    here.flatMap(({ row, faces }) =>
      fairFaces(faces).map((face) => ({ attackType: attackOf(row), accepted: judgedOf(row, face).isLive })),
    ),
  )
  return { name, scored, clips: errorsOf(scored), frames }
}

type Score = Pick<Scored, 'attack' | 'score'>

function errorsOf(scored: readonly Score[]): PresentationErrors {
  return presentationErrors(
    scored.map(({ attack, score }) => ({ attackType: attack, accepted: score >= clipIsLiveFrom })),
  )
}

function addWorst(figures: Figures, name: string, errors: readonly Errors[]): void {
  const worst = [...errors].sort((a, b) => rateOf(b) - rateOf(a) || b.of - a.of)[0]
  if (worst !== undefined) figures.rate(name, worst.wrong, worst.of)
}

function countOf(errors: readonly Errors[]): string {
  const sum = (key: keyof Errors) => errors.reduce((total, one) => total + one[key], 0)
  return `${sum('wrong')} of ${sum('of')}`
}

function extreme(scored: readonly Score[], live: boolean, pick: (...values: number[]) => number): string {
  const scores = scored.filter(({ attack }) => (attack === undefined) === live).map(({ score }) => score)
  return scores.length === 0 ? '-' : pick(...scores).toFixed(3)
}
