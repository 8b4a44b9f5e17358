import { clusterBootstrap, groupBy } from '#lab/statistics/bootstrap.ts'
import { mean, median } from '#lab/statistics/quantile.ts'
import type { FaceAnalysis } from '../../models/rules/analysis.ts'
import { pointsInPicture } from '../../models/rules/face/points.ts'
import { pathOf } from './data-set.ts'
import { Figures } from './figures.ts'
import { eyeTilt, type LabelledFace, labelledFace, meanError } from './landmarks/labels.ts'
import type { Bench } from './running/bench.ts'
import type { Task } from './task.ts'

const everyFace = { group: true, faces: 100 } as const
/** If a face's points are off by more than the distance between its eyes, it is a different face. */
const anotherFace = 1
/** The usual definition of a failure. */
const failure = 0.1

/** How far the 49 points are from labelled ones, and the roll from the labelled eyes' tilt. */
export const landmarks: Task = {
  name: 'landmarks',
  summary: 'distance of the 49 points from labelled ones',
  async evaluate(set, bench) {
    const pictures = [...groupBy(set.rows, ({ file }) => file!)]
    const seen = await bench.map(pictures, `landmarks ${set.name}`, ([file, rows]) =>
      measure(
        rows.map(labelledFace).filter((face) => face !== undefined),
        pathOf(set, file),
        bench,
      ),
    )
    return figuresOf(seen)
  },
}

/** The measurements for a labelled face. Undefined if it was not found. */
interface LandmarkErrors {
  /** The mean distance between the points, divided by the distance between the outer eye corners. */
  readonly error: number
  readonly rollErrorInDegrees: number
}

type Outcome = LandmarkErrors | undefined

async function measure(labelled: readonly LabelledFace[], path: string, bench: Bench): Promise<Outcome[]> {
  const analysis = await bench.analyse(path, everyFace)
  return labelled.map((face) => nearest(face, analysis?.faces ?? []))
}

/** The detected face with the nearest points. */
export function nearest(labelled: LabelledFace, found: readonly FaceAnalysis[]): Outcome {
  let best: LandmarkErrors = { error: anotherFace, rollErrorInDegrees: 0 }
  for (const { landmarks: mesh, pose } of found) {
    const error = meanError(pointsInPicture(mesh), labelled)
    if (error < best.error) best = { error, rollErrorInDegrees: Math.abs(pose.roll - eyeTilt(labelled)) }
  }
  return best.error < anotherFace ? best : undefined
}

function figuresOf(seen: readonly (readonly Outcome[])[]): Figures {
  const figures = new Figures()
  const all = seen.flat()
  const found = all.filter((one) => one !== undefined)
  const errors = found.map(({ error }) => error)
  const nmeOf = (outcomes: readonly Outcome[]) =>
    mean(outcomes.filter((one) => one !== undefined).map(({ error }) => error))
  figures.add('nme', mean(errors), errors.length, clusterBootstrap(seen, nmeOf))
  figures.add('medianNme', median(errors), errors.length)
  figures.rate('noFace', all.length - found.length, all.length)
  figures.rate(
    'failureRate',
    all.filter((one) => one === undefined || one.error > failure).length,
    all.length,
  )
  figures.add('rollMaeDegrees', mean(found.map((one) => one.rollErrorInDegrees)), found.length)
  return figures
}
