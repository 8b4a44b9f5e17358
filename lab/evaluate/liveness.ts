import type { Row } from '#lab/csv.ts'
import { liveLimits } from '../../models/rules/liveness/live-limits.ts'
import type { DataSet } from './data-set.ts'
import { groupFrames } from './liveness/frame-groups.ts'
import { LivenessFigures, scoredPicture, scoredRecording } from './liveness/liveness-figures.ts'
import { addGrid } from './liveness/liveness-grid.ts'
import { addPictures } from './liveness/liveness-pictures.ts'
import { addRecordings } from './liveness/liveness-recordings.ts'
import { overall } from './liveness/overall.ts'
import type { Bench } from './running/bench.ts'
import { isClip, openClips } from './running/clips.ts'
import { judgedOf } from './running/judged-picture.ts'
import {
  fairFaces,
  gridOf,
  type Recording,
  readClips,
  readPictures,
  recordingsOf,
} from './running/recordings.ts'
import type { Task } from './task.ts'

/**
 * How well living people are distinguished from attacks, in single pictures and in recordings (clips, and groups of pictures that are frames of the
 * same recording). Frames of clips also count as pictures.
 */
export const liveness: Task<LivenessFigures> = {
  name: 'liveness',
  summary: 'living people against pictures and replays of them, also altered ones',
  async evaluate(set, bench, _, { forGrid = true } = {}) {
    const figures = new LivenessFigures()
    if (!set.columns.has('label')) return figures
    const isOfClip = ({ file }: Row) => isClip(file!)
    const clips = await clipsOf(figures, set, set.rows.filter(isOfClip), { bench, forGrid })
    const pictures = await readPictures(
      set,
      set.rows.filter((row) => !isOfClip(row)),
      bench,
    )
    const groups = await recordingsOf(set, groupFrames(pictures), { bench, forGrid })
    const alone = [
      ...pictures,
      ...clips.flatMap(({ row, faces }) => fairFaces(faces).map((face) => ({ row, face }))),
    ]
    const recordings = [...clips, ...groups]
    figures.limits = liveLimits(alone.find(({ face }) => face?.live)?.face?.live)
    figures.recordings.push(...recordings.map(scoredRecording))
    figures.pictures.push(...alone.map(({ row, face }) => scoredPicture(row, face)))
    addPictures(
      figures,
      alone.map(({ row, face }) => judgedOf(row, face)),
    )
    addRecordings(figures, figures.recordings)
    if (forGrid) figures.points.push(...(await gridOf(recordings, bench, set.name)))
    if (forGrid) addGrid(figures, figures.points)
    else figures.note('The grid of perturbations was left out.')
    return figures
  },
  overall,
}

async function clipsOf(
  figures: LivenessFigures,
  set: DataSet,
  rows: readonly Row[],
  { bench, forGrid }: { readonly bench: Bench; readonly forGrid: boolean },
): Promise<Recording[]> {
  if (rows.length === 0) return []
  const clips = await openClips()
  if (clips === undefined) {
    figures.note('Clips were left out: there is neither a Chromium nor an ffmpeg to decode them with.')
    return []
  }
  let skipped = 0
  try {
    const skip = () => skipped++
    return await readClips(set, rows, { bench, forGrid, clips, skip })
  } finally {
    await clips.close()
    figures.note(`Clips were decoded by ${clips.decoder}.`)
    if (skipped > 0) figures.note(`${skipped} clips could not be decoded and were left out.`)
  }
}
