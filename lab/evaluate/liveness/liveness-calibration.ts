import { join } from 'node:path'
import type { Calibration } from '#lab/evaluate/calibration/calibration.ts'
import type { Row } from '#lab/evaluate/csv.ts'
import { type DataSet, limited, pathOf, readSets } from '#lab/evaluate/data-set.ts'
import { partOf } from '#lab/evaluate/part.ts'
import { numeral } from '#lab/evaluate/print.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import { isClip, openClips } from '#lab/evaluate/running/clips.ts'
import { attackOf } from '#lab/evaluate/running/judged-picture.ts'
import {
  type Face,
  fairFaces,
  gridOf,
  type Point,
  readRecordings,
  scoreOfRecording,
} from '#lab/evaluate/running/recordings.ts'
import { groupBy } from '#lab/evaluate/statistics/bootstrap.ts'
import { quantile } from '#lab/evaluate/statistics/quantile.ts'
import { wilson } from '#lab/evaluate/statistics/wilson.ts'
import { liveScore } from '#models/rules/liveness/live-score.ts'
import { livenessOfImage } from '#models/rules/liveness/picture-liveness.ts'

/** A face that was found, and what it is. */
interface Sample {
  readonly set: string
  readonly attack: string | undefined
  readonly score: number
  readonly darkSurround: number
}

interface Limits {
  readonly image: number
  readonly clip: number
  readonly screen: number
}

interface Rest {
  readonly tuning: readonly Sample[]
  /** The frames of the recordings of the tuning half under the grid. */
  readonly frames: readonly Sample[]
  readonly points: readonly Point[]
  readonly heldOut: readonly Sample[]
}

/** Photographs of living people, where no attack is labelled: they tell whom a limit refuses. */
const livePhotographs = 'recognition/lfw'
const mostLivePhotographs = 400

/**
 * The limits of liveness.
 *
 * A picture: the lowest multiple of 0.05 that at most 2 in 100 attacks reach, frames of altered replays included. A recording: the middle between the
 * highest attack and the lowest living person of the grid of perturbations, to 0.05. A screen: the middle between the 95th percentile of the
 * prints and the 5th of the screens, of the share of dark surroundings.
 */
export const livenessCalibration: Calibration = {
  name: 'liveness',
  summary: 'from which score a picture and a recording are living, and when a spoof is a screen',
  async calibrate(data, bench) {
    const sets = readSets(join(data, 'liveness')).map((set) => partOf(set, 'tuning'))
    const tuning = await samplesOf(data, 'tuning', bench)
    const points = await alteredClips(sets, bench)
    const frames = samplesAt(points)
    const values: Limits = {
      image: limitAbove([...tuning, ...frames].filter(isAttack).map(({ score }) => score)),
      clip: clipLimit(points),
      screen: screenLimit([
        ...tuning,
        ...samplesAt(points.filter(({ perturbation }) => perturbation === 'plain')),
      ]),
    }
    const heldOut = await samplesOf(data, 'held-out', bench)
    return { values, cards: { 'fr-liveness': cardOf(values, { tuning, frames, points, heldOut }) } }
  },
}

/** Every picture of a half in which a face is found. */
async function samplesOf(data: string, part: 'tuning' | 'held-out', bench: Bench): Promise<Sample[]> {
  const [photographs] = readSets(join(data, livePhotographs))
  const alive = { ...photographs!, rows: photographs!.rows.map((row) => ({ ...row, label: 'live' })) }
  const sets = [...readSets(join(data, 'liveness')), limited(alive, mostLivePhotographs)]
  const samples: Sample[] = []
  for (const set of sets.map((set) => partOf(set, part))) {
    const rows = set.rows.filter(({ file }) => !isClip(file!))
    const faces = await bench.map(rows, `${set.name}: ${part}`, async ({ file }) => {
      return (await bench.analyse(pathOf(set, file!), livenessOfImage))?.face
    })
    samples.push(...rows.flatMap((row, i) => (faces[i] ? [sampleOf(set.name, row, faces[i])] : [])))
  }
  return samples
}

function sampleOf(set: string, row: Row, { live, quality }: NonNullable<Face>): Sample {
  return {
    set,
    attack: attackOf(row),
    score: liveScore(live!, quality.sharpness),
    darkSurround: live!.darkSurround ?? 0,
  }
}

function samplesAt(points: readonly Point[]): Sample[] {
  return points.flatMap(({ row, faces }) =>
    fairFaces(faces).map((face) => sampleOf('frames of clips', row, face)),
  )
}

function isAttack({ attack }: Sample): boolean {
  return attack !== undefined
}

/** @throws where nothing decodes clips: the limits would rest on still pictures alone */
async function alteredClips(sets: readonly DataSet[], bench: Bench): Promise<Point[]> {
  const clips = await openClips()
  if (clips === undefined) throw new Error('Clips need a Chromium or an ffmpeg to be decoded with')
  try {
    const points: Point[] = []
    for (const set of sets) {
      const rows = set.rows.filter(({ file }) => isClip(file!))
      const recordings = await readRecordings(set, rows, { bench, clips, skip: console.error })
      points.push(...(await gridOf(recordings, bench, set.name)))
    }
    return points
  } finally {
    await clips.close()
  }
}

const step = 0.05
const toleratedAttacks = 0.02

function inSteps(value: number, round: (value: number) => number): number {
  return Number((round(value / step) * step).toFixed(2))
}

/** The lowest multiple of a step that at most the tolerated share of the scores reaches. */
export function limitAbove(scores: readonly number[], tolerated = toleratedAttacks): number {
  const isTolerated = (limit: number) =>
    scores.filter((score) => score >= limit - 1e-9).length <= tolerated * scores.length
  let steps = 1
  while (!isTolerated(steps * step)) steps++
  return inSteps(steps * step, Math.round)
}

function clipLimit(points: readonly Point[]): number {
  const { attacks, people } = extremesOf(points)
  return inSteps((attacks + people) / 2, Math.round)
}

function extremesOf(points: readonly Point[]): { attacks: number; people: number } {
  const scores = (attack: boolean) =>
    points
      .filter(({ row }) => (attackOf(row) !== undefined) === attack)
      .map(({ faces }) => scoreOfRecording(faces))
  return { attacks: Math.max(...scores(true)), people: Math.min(...scores(false)) }
}

function screenLimit(samples: readonly Sample[]): number {
  const shares = (type: string) =>
    samples.filter(({ attack }) => attack === type).map((one) => one.darkSurround)
  return Number(((quantile(shares('photo'), 0.95) + quantile(shares('video'), 0.05)) / 2).toFixed(2))
}

function cardOf(limits: Limits, { tuning, frames, points, heldOut }: Rest): string {
  const { attacks, people } = extremesOf(points)
  const clips = new Set(points.map(({ row }) => row.file))
  return [
    '**Limits**, by `npm run calibrate -- liveness`, on one half of the people of each set. Each interval is Wilson\u2019s, 95 %, of',
    'pictures as if they were independent; those of one person are not.',
    '',
    `A picture is living from ${limits.image}: the lowest multiple of ${step} that at most ${100 * toleratedAttacks} in 100 attacks of the calibrated half reach, the frames`,
    `of clips under every perturbation among them. A spoof whose surroundings are dark by ${limits.screen} or more is a \`video\`, else a \`photo\`.`,
    '',
    '| half | set | attacks accepted | living refused |',
    '|---|---|---|---|',
    ...tableOf('calibrated', [...tuning, ...frames], limits.image),
    ...tableOf('held out', heldOut, limits.image),
    '',
    `A recording is living from ${limits.clip}. At the worst points of the grid of perturbations the replays reach ${numeral(attacks)} and living people fall to`,
    `${numeral(people)}; ${clips.size} clips, few people, all of them calibrated on: nothing here is held out.`,
  ].join('\n')
}

function tableOf(half: string, samples: readonly Sample[], limit: number): string[] {
  return [...groupBy(samples, ({ set }) => set)].map(([set, cases]) => {
    const attacks = cases.filter(isAttack)
    const people = cases.filter((one) => !isAttack(one))
    const accepted = attacks.filter(({ score }) => score >= limit).length
    const refused = people.filter(({ score }) => score < limit).length
    return `| ${half} | ${set} | ${shareOf(accepted, attacks.length)} | ${shareOf(refused, people.length)} |`
  })
}

function shareOf(hits: number, of: number): string {
  if (of === 0) return '-'
  const { low, high } = wilson(hits, of)
  return `${hits} of ${of} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)} %]`
}
