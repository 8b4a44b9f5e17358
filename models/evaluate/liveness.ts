import { judgeLiveness, livenessOfImage } from '#models/liveness.ts'
import type { Bench } from './bench.ts'
import { isClip, openClips } from './clips.ts'
import type { Row } from './csv.ts'
import { type DataSet, pathOf } from './data-set.ts'
import { Figures } from './figures.ts'
import { measureClips } from './liveness-clips.ts'
import { personOf } from './part.ts'
import { type Errors, type PresentationErrors, presentationErrors, rateOf } from './presentation.ts'
import { clusterBootstrap, groupBy } from './statistics/bootstrap.ts'
import { auc, equalErrorRate, type Scores } from './statistics/roc.ts'
import { wilson } from './statistics/wilson.ts'
import type { Task } from './task.ts'

/** What the product says of one picture, and what it shows. */
export interface Judged {
  readonly row: Row
  /** 0...1, higher is live; 0 where no face was found. */
  readonly score: number
  readonly isLive: boolean
  readonly hasFace: boolean
  readonly spoofType: string | null
}

/** Whether pictures and clips of living people and of attacks are told apart. */
export const liveness: Task = {
  name: 'liveness',
  summary: 'living people against pictures and replays of them, also altered ones',
  async evaluate(set, bench) {
    const figures = new Figures()
    const stills = set.rows.filter(({ file }) => !isClip(file!))
    const clips = set.rows.filter(({ file }) => isClip(file!))
    if (!set.columns.has('label')) return figures
    const judged = await bench.map(stills, `${set.name}: pictures`, (row) => judge(set, row, bench))
    addPictures(figures, judged)
    if (clips.length > 0) await addClips(figures, set, clips, bench)
    return figures
  },
}

/** The image decision of the product on one file. */
export async function judge(set: DataSet, row: Row, bench: Bench): Promise<Judged> {
  const analysis = await bench.analyse(pathOf(set, row.file!), livenessOfImage)
  return judgedOf(row, analysis?.face)
}

export function judgedOf(row: Row, face: Parameters<typeof judgeLiveness>[0] | undefined): Judged {
  if (face === undefined) return { row, score: 0, isLive: false, hasFace: false, spoofType: null }
  const { isLive, confidence, spoofType } = judgeLiveness(face)
  return { row, score: isLive ? confidence : 1 - confidence, isLive, hasFace: true, spoofType }
}

/** Living or the kind of attack, as the labels tell. */
export function attackOf({ label, attack_type }: Row): string | undefined {
  return label === 'live' ? undefined : attack_type || 'unknown'
}

async function addClips(figures: Figures, set: DataSet, rows: readonly Row[], bench: Bench): Promise<void> {
  const clips = await openClips()
  if (clips === undefined) {
    figures.note('Clips were left out: there is neither a Chromium nor an ffmpeg to decode them with.')
    return
  }
  try {
    const frames = await measureClips(figures, set, rows, { bench, clips })
    addPictures(figures, frames)
  } finally {
    await clips.close()
  }
}

/** Errors and ranking of single pictures, as the image decision of the product has them. */
export function addPictures(figures: Figures, judged: readonly Judged[]): void {
  if (judged.length === 0) return
  const { byType, worst, bonaFide } = errorsOf(judged)
  addRate(figures, 'apcer', judged, (cases) => errorsOf(cases).worst)
  for (const [type, { wrong, of }] of byType) figures.rate(`apcer.${type}`, wrong, of)
  addRate(figures, 'bpcer', judged, (cases) => errorsOf(cases).bonaFide)
  figures.rate('noFace', judged.filter(({ hasFace }) => !hasFace).length, judged.length)
  if (worst === undefined || bonaFide.of === 0) return
  const statistics = {
    acer: (cases: readonly Judged[]) => acerOf(errorsOf(cases)),
    auc: (cases: readonly Judged[]) => auc(scoresOf(cases)),
    eer: (cases: readonly Judged[]) => equalErrorRate(scoresOf(cases)),
  }
  for (const [name, statistic] of Object.entries(statistics))
    figures.add(name, statistic(judged), judged.length, clusterBootstrap(byPerson(judged), statistic))
  addTypes(figures, judged)
}

function errorsOf(judged: readonly Judged[]): PresentationErrors {
  return presentationErrors(
    judged.map(({ row, isLive }) => ({ attackType: attackOf(row), accepted: isLive })),
  )
}

function acerOf({ worst, bonaFide }: PresentationErrors): number {
  return worst === undefined || bonaFide.of === 0 ? Number.NaN : (rateOf(worst) + rateOf(bonaFide)) / 2
}

/** The interval is the wider one of Wilson's, and of drawing people: a person's pictures are alike. */
function addRate(
  figures: Figures,
  name: string,
  judged: readonly Judged[],
  errors: (cases: readonly Judged[]) => Errors | undefined,
): void {
  const found = errors(judged)
  if (found === undefined || found.of === 0) return
  const pictures = wilson(found.wrong, found.of)
  const people =
    clusterBootstrap(byPerson(judged), (cases) => rateOf(errors(cases) ?? { wrong: 0, of: 0 })) ?? pictures
  figures.add(name, rateOf(found), found.of, {
    low: Math.min(pictures.low, people.low),
    high: Math.max(pictures.high, people.high),
  })
}

function byPerson(judged: readonly Judged[]): Judged[][] {
  return [...groupBy(judged, ({ row }) => personOf(row)).values()]
}

function scoresOf(judged: readonly Judged[]): Scores {
  const scores = (live: boolean) =>
    judged.filter(({ row }) => (attackOf(row) === undefined) === live).map(({ score }) => score)
  return { positive: scores(true), negative: scores(false) }
}

/** How often a refused attack was given the type that it is. */
function addTypes(figures: Figures, judged: readonly Judged[]): void {
  const refused = judged.filter(({ row, spoofType }) => attackOf(row) !== undefined && spoofType !== null)
  for (const [type, cases] of groupBy(refused, ({ row }) => attackOf(row)!)) {
    const right = cases.filter(({ spoofType }) => spoofType === type).length
    figures.rate(`spoofTypeRight.${type}`, right, cases.length)
  }
}
