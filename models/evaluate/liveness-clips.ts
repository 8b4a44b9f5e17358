import type { FaceAnalysis } from '#models/analysis.ts'
import type { Frame } from '#models/frame.ts'
import { liveScore } from '#models/live-score.ts'
import {
  clipIsLiveFrom,
  fuseLiveness,
  isFair,
  livenessOfFrame,
  straightPose,
} from '#models/liveness-fusion.ts'
import type { Bench } from './bench.ts'
import type { Clips } from './clips.ts'
import type { Row } from './csv.ts'
import { type DataSet, pathOf, spread } from './data-set.ts'
import type { Figures } from './figures.ts'
import { attackOf, type Judged, judgedOf } from './liveness.ts'
import { type Perturbation, perturbations } from './perturbations.ts'
import { type Errors, type PresentationErrors, presentationErrors, rateOf } from './presentation.ts'

export interface Tools {
  readonly bench: Bench
  readonly clips: Clips
}

/** Frames that a clip is judged by, and how many of them the grid of perturbations is tried on. */
const mostFrames = { plain: 24, grid: 8 } as const

/** A clip and the frames in which the face looks at the camera. */
interface Recording {
  readonly row: Row
  readonly frames: readonly Frame[]
  /** One for each frame; undefined where none was found. */
  readonly faces: readonly (FaceAnalysis | undefined)[]
}

/** What a point of the grid makes of a clip: its score, undefined where no frame was fit to judge. */
interface Point {
  readonly row: Row
  readonly score: number | undefined
}

/**
 * Errors by clip, as recorded and at each point of the grid of perturbations; answers the frames of the recordings as
 * single pictures.
 *
 * [Note: The worst point counts] Whoever shows a replay chooses what to do to it. The grid's worst point for attacks and its worst
 * point for living people are reported beside the plain figures.
 */
export async function measureClips(
  figures: Figures,
  set: DataSet,
  rows: readonly Row[],
  { bench, clips }: Tools,
): Promise<Judged[]> {
  const recordings: Recording[] = []
  for (const row of rows) {
    const frames = await clips.frames(pathOf(set, row.file!), mostFrames.plain)
    if (frames === null) figures.note(`${row.file} could not be decoded and was left out.`)
    else recordings.push({ row, frames, faces: await facesOf(frames, bench, `${set.name}: ${row.file}`) })
  }
  figures.note(`Clips were decoded by ${clips.decoder}.`)
  addPlain(figures, recordings)
  addGrid(figures, await gridOf(recordings, bench, set.name))
  return recordings.flatMap(judgedFrames)
}

function facesOf(frames: readonly Frame[], bench: Bench, label: string) {
  return bench.map(frames, label, async (frame) => (await bench.analyse(frame, livenessOfFrame))?.face)
}

function fairOnes<T>(items: readonly T[], faceOf: (item: T) => FaceAnalysis | undefined): T[] {
  const straight = straightPose(items.flatMap((item) => faceOf(item) ?? []))
  if (straight === undefined) return []
  return items.filter((item) => {
    const face = faceOf(item)
    return face !== undefined && isFair(face, straight)
  })
}

function scoreOf(faces: readonly (FaceAnalysis | undefined)[]): number | undefined {
  return fuseLiveness(
    fairOnes(faces, (face) => face).flatMap((face) => (face?.live ? [liveScore(face.live)] : [])),
  )
}

function judgedFrames({ row, faces }: Recording): Judged[] {
  return fairOnes(faces, (face) => face).map((face) => judgedOf(row, face))
}

/** A clip without a frame to judge is not accepted. */
function errorsOf(points: readonly Point[]): PresentationErrors {
  return presentationErrors(
    points.map(({ row, score = 0 }) => ({ attackType: attackOf(row), accepted: score >= clipIsLiveFrom })),
  )
}

function addPlain(figures: Figures, recordings: readonly Recording[]): void {
  const points = recordings.map(({ row, faces }) => ({ row, score: scoreOf(faces) }))
  const { worst, bonaFide } = errorsOf(points)
  if (worst !== undefined) figures.rate('apcerClips', worst.wrong, worst.of)
  figures.rate('bpcerClips', bonaFide.wrong, bonaFide.of)
  figures.table({
    title: `Clips as recorded, living from ${clipIsLiveFrom}`,
    columns: ['clip', 'label', 'frames that count', 'score'],
    rows: recordings.map(({ row, faces }, i) => [
      row.file!,
      attackOf(row) ?? 'live',
      fairOnes(faces, (face) => face).length,
      points[i]!.score?.toFixed(3) ?? '-',
    ]),
  })
}

/** The clips at each point of the grid, in its order. */
async function gridOf(
  recordings: readonly Recording[],
  bench: Bench,
  label: string,
): Promise<ReadonlyMap<Perturbation, Point[]>> {
  const chosen = recordings.map(({ row, frames, faces }) => {
    const fair = fairOnes(
      frames.map((_, i) => i),
      (i) => faces[i],
    )
    return { row, frames: spread(fair, mostFrames.grid).map((i) => frames[i]!) }
  })
  const cases = perturbations.flatMap((perturbation) => chosen.map((clip) => ({ perturbation, ...clip })))
  const points = await bench.map(cases, `${label}: grid`, async ({ perturbation, row, frames }) => {
    const faces: (FaceAnalysis | undefined)[] = []
    for (const frame of frames)
      faces.push((await bench.analyse(await perturbation.apply(frame), livenessOfFrame))?.face)
    return { perturbation, row, score: scoreOf(faces) }
  })
  return new Map(perturbations.map((one) => [one, points.filter(({ perturbation }) => perturbation === one)]))
}

function addGrid(figures: Figures, grid: ReadonlyMap<Perturbation, readonly Point[]>): void {
  const errors = [...grid].map(([{ name }, points]) => ({ name, points, ...errorsOf(points) }))
  const attacks = errors.flatMap(({ worst }) => worst ?? []).sort((a, b) => rateOf(b) - rateOf(a))[0]
  const people = errors.map(({ bonaFide }) => bonaFide).sort((a, b) => rateOf(b) - rateOf(a))[0]
  if (attacks !== undefined) figures.rate('worstApcerClips', attacks.wrong, attacks.of)
  if (people !== undefined) figures.rate('worstBpcerClips', people.wrong, people.of)
  figures.table({
    title: `Clips under perturbations, up to ${mostFrames.grid} frames each`,
    columns: ['perturbation', 'attacks accepted', 'highest', 'living refused', 'lowest'],
    rows: errors.map(({ name, points, byType, bonaFide }) => [
      name,
      countOf([...byType.values()]),
      extreme(points, false, Math.max),
      countOf([bonaFide]),
      extreme(points, true, Math.min),
    ]),
  })
}

function countOf(errors: readonly Errors[]): string {
  const sum = (key: keyof Errors) => errors.reduce((total, one) => total + one[key], 0)
  return `${sum('wrong')} of ${sum('of')}`
}

function extreme(points: readonly Point[], live: boolean, pick: (...values: number[]) => number): string {
  const scores = points
    .filter(({ row }) => (attackOf(row) === undefined) === live)
    .map(({ score = 0 }) => score)
  return scores.length === 0 ? '-' : pick(...scores).toFixed(3)
}
