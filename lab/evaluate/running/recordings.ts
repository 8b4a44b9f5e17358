import type { Row } from '#lab/evaluate/csv.ts'
import { type DataSet, pathOf, spread } from '#lab/evaluate/data-set.ts'
import { perturbations } from '#lab/evaluate/liveness/perturbations.ts'
import type { Frame } from '#models/picture/frame.ts'
import type { FaceAnalysis, Wanted } from '#models/rules/analysis.ts'
import { frameScore, fuseLiveness, isFair, straightPose } from '#models/rules/liveness/liveness-fusion.ts'
import type { Bench } from './bench.ts'
import type { Clips } from './clips.ts'

/** Frames that a clip is judged by, and how many of them the grid of perturbations is tried on. */
const mostFrames = { plain: 24, grid: 8 } as const

/** As a picture is judged alone: a recording's own score leaves the nearer crop out. */
const wanted: Wanted = { liveness: 'still' }

export type Face = FaceAnalysis | undefined

/** A clip and what the pipeline sees in its frames. */
export interface Recording {
  readonly row: Row
  readonly frames: readonly Frame[]
  /** One for each frame; undefined where none was found. */
  readonly faces: readonly Face[]
}

/** A recording at one point of the grid: the fair frames of it, altered. */
export interface Point {
  readonly perturbation: string
  readonly row: Row
  readonly faces: readonly Face[]
}

/** The clips of a set, decoded and looked at; those that cannot be decoded are told by `skip`. */
export async function readRecordings(
  set: DataSet,
  rows: readonly Row[],
  {
    bench,
    clips,
    skip,
  }: { readonly bench: Bench; readonly clips: Clips; readonly skip: (file: string) => void },
): Promise<Recording[]> {
  const recordings: Recording[] = []
  for (const row of rows) {
    const frames = await clips.frames(pathOf(set, row.file!), mostFrames.plain)
    if (frames === null) {
      skip(row.file!)
      continue
    }
    const see = async (frame: Frame) => (await bench.analyse(frame, wanted))?.face
    recordings.push({ row, frames, faces: await bench.map(frames, `${set.name}: ${row.file}`, see) })
  }
  return recordings
}

/** Each recording at each point of the grid of perturbations. */
export function gridOf(recordings: readonly Recording[], bench: Bench, label: string): Promise<Point[]> {
  const cases = perturbations.flatMap((perturbation) =>
    recordings.map(({ row, frames, faces }) => ({
      perturbation,
      row,
      frames: spread(fairIndices(faces), mostFrames.grid).map((i) => frames[i]!),
    })),
  )
  return bench.map(cases, `${label}: grid`, async ({ perturbation, row, frames }) => {
    const faces: Face[] = []
    for (const frame of frames)
      faces.push((await bench.analyse(await perturbation.apply(frame), wanted))?.face)
    return { perturbation: perturbation.name, row, faces }
  })
}

/** The faces of the frames that count for liveness. */
export function fairFaces(faces: readonly Face[]): FaceAnalysis[] {
  return fairIndices(faces).map((i) => faces[i]!)
}

function fairIndices(faces: readonly Face[]): number[] {
  const straight = straightPose(faces.flatMap((face) => face ?? []))
  if (straight === undefined) return []
  return faces.flatMap((face, i) => (face !== undefined && isFair(face, straight) ? [i] : []))
}

/** The live score of a recording as a session's; 0 where no frame was fit to judge. */
export function scoreOfRecording(faces: readonly Face[]): number {
  return fuseLiveness(fairFaces(faces).map(frameScore)) ?? 0
}
