import type { Row } from './csv.ts'
import type { DataSet } from './data-set.ts'
import { Figures } from './figures.ts'
import { addClips, addGrid } from './liveness/liveness-clips.ts'
import { addPictures } from './liveness/liveness-pictures.ts'
import type { Bench } from './running/bench.ts'
import { isClip, openClips } from './running/clips.ts'
import { type Judged, judge, judgedOf } from './running/judged-picture.ts'
import { fairFaces, gridOf, readRecordings } from './running/recordings.ts'
import type { Task } from './task.ts'

/** Whether living people and attacks are told apart, in pictures and in clips; frames of clips count as pictures too. */
export const liveness: Task = {
  name: 'liveness',
  summary: 'living people against pictures and replays of them, also altered ones',
  async evaluate(set, bench) {
    const figures = new Figures()
    if (!set.columns.has('label')) return figures
    const stills = set.rows.filter(({ file }) => !isClip(file!))
    const clips = set.rows.filter(({ file }) => isClip(file!))
    const frames = clips.length > 0 ? await measureClips(figures, set, clips, bench) : []
    const judged = await bench.map(stills, `${set.name}: pictures`, (row) => judge(set, row, bench))
    addPictures(figures, [...judged, ...frames])
    return figures
  },
}

async function measureClips(
  figures: Figures,
  set: DataSet,
  rows: readonly Row[],
  bench: Bench,
): Promise<Judged[]> {
  const clips = await openClips()
  if (clips === undefined) {
    figures.note('Clips were left out: there is neither a Chromium nor an ffmpeg to decode them with.')
    return []
  }
  try {
    const skip = (file: string) => figures.note(`${file} could not be decoded and was left out.`)
    const recordings = await readRecordings(set, rows, { bench, clips, skip })
    figures.note(`Clips were decoded by ${clips.decoder}.`)
    addClips(figures, recordings)
    addGrid(figures, await gridOf(recordings, bench, set.name))
    return recordings.flatMap(({ row, faces }) => fairFaces(faces).map((face) => judgedOf(row, face)))
  } finally {
    await clips.close()
  }
}
