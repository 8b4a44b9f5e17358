import type { Figures } from '#lab/evaluate/figures.ts'
import { attackOf, judgedOf } from '#lab/evaluate/running/judged-picture.ts'
import { perturbations } from '#lab/evaluate/running/perturbations.ts'
import { fairFaces, type Point } from '#lab/evaluate/running/recordings.ts'
import { attacksIn, isAttack, type ScoredPresentation, scoredRecording } from './liveness-figures.ts'
import { type Errors, type PresentationErrors, presentationErrors, rateOf } from './presentation.ts'

/**
 * Errors by recording at each point of the grid of perturbations, with the same noise for living people and attacks.
 *
 * [Note: The worst point counts] An attacker who replays something chooses what to do to it. The grid's worst point
 * for attacks and its worst point for living people are reported next to the plain figures, and so are those of its
 * frames as single pictures.
 *
 * If no frame can be judged, an attack did not pass, and a living person is asked for other pictures instead of being
 * refused; such cases are counted separately.
 */
export function addGrid(figures: Figures, grid: readonly Point[]): void {
  const points = perturbations.map(({ name }) => pointOf(name, grid))
  const worst = (name: string, errors: (point: (typeof points)[number]) => Errors | undefined) =>
    addWorst(
      figures,
      name,
      points.flatMap((point) => errors(point) ?? []),
    )
  worst('worstApcerClips', ({ clips }) => clips.worst)
  worst('worstBpcerClips', ({ clips }) => clips.bonaFide)
  worst('worstApcer', ({ frames }) => frames.worst)
  worst('worstBpcer', ({ frames }) => frames.bonaFide)
  for (const { name, clips, living, askedAgain } of points) {
    const place = `grid.${name.replace(/[^a-zA-Z0-9]+/g, '-')}`
    for (const [type, { wrong, of }] of clips.byType) figures.rate(`${place}.apcerClips.${type}`, wrong, of)
    figures.rate(`${place}.bpcerClips`, clips.bonaFide.wrong, clips.bonaFide.of)
    figures.rate(`${place}.askedAgain`, askedAgain, living)
  }
  addTable(figures, points)
}

function addTable(figures: Figures, points: readonly ReturnType<typeof pointOf>[]): void {
  const types = [...new Set(points.flatMap(({ scored }) => attacksIn(scored)))]
  figures.table({
    title: 'Under perturbations: recordings, and their frames as single pictures',
    columns: [
      'perturbation',
      'living refused',
      'asked again',
      ...types.map((type) => `${type} passed`),
      'living frames refused',
      'frames of attacks passed',
    ],
    rows: points.map(({ name, clips, living, askedAgain, frames }) => [
      name,
      countOf([clips.bonaFide]),
      `${askedAgain} of ${living}`,
      ...types.map((type) => countOf([clips.byType.get(type) ?? { wrong: 0, of: 0 }])),
      countOf([frames.bonaFide]),
      countOf([...frames.byType.values()]),
    ]),
  })
}

function pointOf(name: string, grid: readonly Point[]) {
  const here = grid.filter(({ perturbation }) => perturbation === name)
  const scored = here.map(({ row, faces }) => scoredRecording({ row, faces, kind: 'clip', frames: [] }))
  const living = scored.filter((one) => !isAttack(one))
  const judged = scored.filter((one) => isAttack(one) || one.fairFrames > 0)
  const frames = presentationErrors(
    here.flatMap(({ row, faces }) =>
      fairFaces(faces).map((face) => ({ attackType: attackOf(row), accepted: judgedOf(row, face).isLive })),
    ),
  )
  return {
    name,
    scored,
    clips: errorsOf(judged),
    living: living.length,
    askedAgain: living.filter(({ fairFrames }) => fairFrames === 0).length,
    frames,
  }
}

function errorsOf(scored: readonly ScoredPresentation[]): PresentationErrors {
  return presentationErrors(scored.map(({ attack, isLive }) => ({ attackType: attack, accepted: isLive })))
}

function addWorst(figures: Figures, name: string, errors: readonly Errors[]): void {
  const worst = [...errors].sort((a, b) => rateOf(b) - rateOf(a) || b.of - a.of)[0]
  if (worst !== undefined) figures.rate(name, worst.wrong, worst.of)
}

function countOf(errors: readonly Errors[]): string {
  const sum = (key: keyof Errors) => errors.reduce((total, one) => total + one[key], 0)
  return `${sum('wrong')} of ${sum('of')}`
}
