import type { Row } from '#lab/csv.ts'
import { type DataSet, pathOf, spread } from '#lab/evaluate/data-set.ts'
import { showProgress } from '#lab/progress.ts'
import type { RgbaFrame } from '../../../models/picture/frame.ts'
import type { AnalysisStages, FaceAnalysis } from '../../../models/rules/analysis.ts'
import { isFair, straightPose } from '../../../models/rules/fair-frame.ts'
import { frameScore, fuseLiveness } from '../../../models/rules/liveness/liveness-fusion.ts'
import { livenessOfImage } from '../../../models/rules/liveness/picture-liveness.ts'
import type { Bench } from './bench.ts'
import type { Clips } from './clips.ts'
import { perturbations } from './perturbations.ts'

/** How many frames are used per clip for its decision, and per recording for the grid of perturbations. */
const mostFrames = { plain: 24, grid: 8 } as const

/** The analysis for a single picture. A recording's score ignores the closer crop. */
const wanted: AnalysisStages = { liveness: 'still' }

export type Face = FaceAnalysis | undefined

/** Something that was shown to a camera for some time, and the pipeline's analysis of its frames. */
export interface Recording {
  /** The labels of the clip or of the first frame. */
  readonly row: Row
  /** A clip, a recording's frames as pictures, or a single picture. */
  readonly kind: 'clip' | 'frames' | 'picture'
  /** One per frame. Undefined if no face was found. */
  readonly faces: readonly Face[]
  /** The usable frames for the grid. Empty if there is no grid, because they are large. */
  readonly frames: readonly RgbaFrame[]
}

/** A recording at one point of the grid, with its usable frames altered accordingly. */
export interface Point {
  readonly perturbation: string
  readonly row: Row
  readonly faces: readonly Face[]
}

/** A picture in a set and its dominant face. */
export interface SeenPicture {
  readonly row: Row
  readonly face: Face
}

interface Means {
  readonly bench: Bench
  /** True if the frames should be kept for the grid. */
  readonly forGrid: boolean
}

/** Decodes and analyses a set's clips. Clips that cannot be decoded are reported through `skip`. */
export async function readClips(
  set: DataSet,
  rows: readonly Row[],
  { bench, forGrid, clips, skip }: Means & { readonly clips: Clips; readonly skip: (file: string) => void },
): Promise<Recording[]> {
  const recordings: Recording[] = []
  const progress = showProgress(`${set.name}: clips`, rows.length)
  for (const row of rows) {
    // A decoder may time out on a busy machine, so it is tried twice.
    const decode = () => clips.frames(pathOf(set, row.file!), mostFrames.plain)
    const frames = (await decode()) ?? (await decode())
    progress.step()
    if (frames === null) {
      skip(row.file!)
      continue
    }
    const see = async (frame: RgbaFrame) => (await bench.analyse(frame, wanted))?.face
    const faces = await Promise.all(frames.map(see))
    const kept = forGrid ? gridIndices(faces).map((i) => frames[i]!) : []
    recordings.push({ row, kind: 'clip', faces, frames: kept })
  }
  progress.end()
  return recordings
}

/** Analyses a set's pictures in the same way as pictures that are judged on their own. */
export function readPictures(set: DataSet, rows: readonly Row[], bench: Bench): Promise<SeenPicture[]> {
  return bench.map(rows, `${set.name}: pictures`, async (row) => {
    return { row, face: (await bench.analyse(pathOf(set, row.file!), livenessOfImage))?.face }
  })
}

/** Groups of pictures (see frame-groups.ts), each of which is judged as a single recording. */
export async function recordingsOf(
  set: DataSet,
  groups: readonly (readonly SeenPicture[])[],
  { bench, forGrid }: Means,
): Promise<Recording[]> {
  const isFrames = groups.some((group) => group.length > 1)
  return Promise.all(
    groups.map(async (group) => {
      const faces = group.map(({ face }) => face)
      const kept = forGrid ? gridIndices(faces).map((i) => pathOf(set, group[i]!.row.file!)) : []
      const frames = await Promise.all(kept.map((path) => bench.decode(path)))
      return {
        row: group[0]!.row,
        kind: isFrames ? ('frames' as const) : ('picture' as const),
        faces,
        frames: frames.filter((frame) => frame !== null),
      }
    }),
  )
}

/** Each recording at each point of the grid of perturbations, with the same noise for attacks and living people. */
export function gridOf(recordings: readonly Recording[], bench: Bench, label: string): Promise<Point[]> {
  const cases = perturbations.flatMap((perturbation) =>
    recordings.map(({ row, frames }) => ({ perturbation, row, frames })),
  )
  return bench.map(cases, `${label}: grid`, async ({ perturbation, row, frames }) => {
    const faces: Face[] = []
    for (const frame of frames)
      faces.push((await bench.analyse(await perturbation.apply(frame), wanted))?.face)
    return { perturbation: perturbation.name, row, faces }
  })
}

/** The faces in those frames that count for liveness. */
export function fairFaces(faces: readonly Face[]): FaceAnalysis[] {
  return fairIndices(faces).map((i) => faces[i]!)
}

function fairIndices(faces: readonly Face[]): number[] {
  const straight = straightPose(faces.flatMap((face) => face ?? []))
  if (straight === undefined) return []
  return faces.flatMap((face, i) => (face !== undefined && isFair(face, straight) ? [i] : []))
}

function gridIndices(faces: readonly Face[]): number[] {
  return spread(fairIndices(faces), mostFrames.grid)
}

/** A recording's live score, computed like a session's. It is 0 if no frame could be judged. */
export function scoreOfRecording(faces: readonly Face[]): number {
  return fuseLiveness(fairFaces(faces).map(frameScore)) ?? 0
}
