import type { Figures } from '#lab/evaluate/figures.ts'
import { personOf } from '#lab/evaluate/part.ts'
import { attackOf, type JudgedPicture } from '#lab/evaluate/running/judged-picture.ts'
import { clusterBootstrap, groupBy } from '#lab/statistics/bootstrap.ts'
import { auc, equalErrorRate, type Scores } from '#lab/statistics/roc.ts'
import { wilson } from '#lab/statistics/wilson.ts'
import { type Errors, type PresentationErrors, presentationErrors, rateOf } from './presentation.ts'

/** Error rates and ranking for single pictures, based on the product's decision for pictures. */
export function addPictures(figures: Figures, judged: readonly JudgedPicture[]): void {
  if (judged.length === 0) return
  const { byType, worst, bonaFide } = errorsOf(judged)
  addRate(figures, 'apcer', judged, (cases) => errorsOf(cases).worst)
  for (const [type, { wrong, of }] of byType) figures.rate(`apcer.${type}`, wrong, of)
  addRate(figures, 'bpcer', judged, (cases) => errorsOf(cases).bonaFide)
  figures.rate('noFace', judged.filter(({ hasFace }) => !hasFace).length, judged.length)
  if (worst === undefined || bonaFide.of === 0) return
  const statistics = {
    acer: (cases: readonly JudgedPicture[]) => acerOf(errorsOf(cases)),
    auc: (cases: readonly JudgedPicture[]) => auc(scoresOf(cases)),
    eer: (cases: readonly JudgedPicture[]) => equalErrorRate(scoresOf(cases)),
  }
  for (const [name, statistic] of Object.entries(statistics))
    figures.add(name, statistic(judged), judged.length, clusterBootstrap(byPerson(judged), statistic))
  addTypes(figures, judged)
}

function errorsOf(judged: readonly JudgedPicture[]): PresentationErrors {
  return presentationErrors(
    judged.map(({ row, isLive }) => ({ attackType: attackOf(row), accepted: isLive })),
  )
}

function acerOf({ worst, bonaFide }: PresentationErrors): number {
  return worst === undefined || bonaFide.of === 0 ? Number.NaN : (rateOf(worst) + rateOf(bonaFide)) / 2
}

/** The wider of Wilson's interval and the bootstrap over people, because pictures of the same person are similar. */
function addRate(
  figures: Figures,
  name: string,
  judged: readonly JudgedPicture[],
  errors: (cases: readonly JudgedPicture[]) => Errors | undefined,
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

function byPerson(judged: readonly JudgedPicture[]): JudgedPicture[][] {
  return [...groupBy(judged, ({ row }) => personOf(row)).values()]
}

function scoresOf(judged: readonly JudgedPicture[]): Scores {
  const scores = (live: boolean) =>
    judged.filter(({ row }) => (attackOf(row) === undefined) === live).map(({ score }) => score)
  return { positive: scores(true), negative: scores(false) }
}

/** How often the true type was given for a rejected attack. */
function addTypes(figures: Figures, judged: readonly JudgedPicture[]): void {
  const refused = judged.filter(({ row, spoofType }) => attackOf(row) !== undefined && spoofType !== null)
  for (const [type, cases] of groupBy(refused, ({ row }) => attackOf(row)!)) {
    const right = cases.filter(({ spoofType }) => spoofType === type).length
    figures.rate(`spoofTypeRight.${type}`, right, cases.length)
  }
}
