import type { Figures } from '#lab/evaluate/figures.ts'
import { groupBy } from '#lab/statistics/bootstrap.ts'
import { mean } from '#lab/statistics/quantile.ts'
import { wilson } from '#lab/statistics/wilson.ts'
import type { Estimate, Gender } from './estimate.ts'

type LabelledGender = Estimate & { readonly gender: Gender }

/** Adds how often the gender matches the label in each group, and whether the confidence reflects this. */
export function addGenders(figures: Figures, estimates: readonly Estimate[]): void {
  const all = estimates.filter((one): one is LabelledGender => one.gender !== undefined)
  if (all.length === 0) return
  const add = (name: string, some: readonly LabelledGender[]) =>
    figures.rate(name, some.filter(isRight).length, some.length)
  const adults = all.filter(({ years }) => years !== undefined && years >= 18)
  const minors = all.filter(({ years }) => years !== undefined && years < 18)
  add('genderAccuracy', all)
  add('adultGenderAccuracy', adults)
  add('minorGenderAccuracy', minors)
  figures.add('genderCalibrationError', calibrationError(all), all.length)
  addGroups(figures, all, adults)
  for (const [title, some] of [
    ['all', all],
    ['adults', adults],
    ['minors', minors],
  ] as const)
    addReliability(figures, title, some)
}

function isRight({ gender, male }: LabelledGender): boolean {
  return male > 0.5 === (gender === 'male')
}

function addGroups(
  figures: Figures,
  all: readonly LabelledGender[],
  adults: readonly LabelledGender[],
): void {
  const groups: [string, readonly LabelledGender[], (one: LabelledGender) => string | undefined][] = [
    ['gender', all, ({ gender }) => gender],
    ['years', all, ({ years }) => (years === undefined ? undefined : bandOf(years))],
    ['race label and gender, adults', adults, ({ race, gender }) => race && `${race}, ${gender}`],
  ]
  for (const [title, some, key] of groups) {
    const known = some.filter((one) => key(one) !== undefined)
    figures.table({
      title: `Gender by ${title}`,
      columns: [title, 'n', 'right', '95 %', 'mean confidence'],
      rows: [...groupBy(known, (one) => key(one)!)]
        .map(([name, group]) => [name, ...rowOf(group)])
        .sort((a, b) => String(a[0]).localeCompare(String(b[0]), 'en', { numeric: true })),
    })
  }
}

const edges = [0, 3, 6, 10, 13, 16, 18, 25, 40, 60, 130]

function bandOf(years: number): string {
  const i = edges.findIndex((edge) => years < edge)
  return edges[i] === 130 ? '60+' : `${edges[i - 1]}-${edges[i]! - 1}`
}

function rowOf(some: readonly LabelledGender[]): (string | number)[] {
  const right = some.filter(isRight).length
  const { low, high } = wilson(right, some.length)
  const confidence = mean(some.map((one) => one.confidence))
  return [some.length, right / some.length, `${low.toFixed(3)}-${high.toFixed(3)}`, confidence]
}

const bins = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0001]

function binned(some: readonly LabelledGender[]): [string, LabelledGender[]][] {
  return bins.slice(1).flatMap((to, i) => {
    const from = bins[i]!
    const within = some.filter(({ confidence }) => confidence >= from && confidence < to)
    return within.length === 0 ? [] : [[`${from.toFixed(2)}-${Math.min(1, to).toFixed(2)}`, within]]
  })
}

function addReliability(figures: Figures, title: string, some: readonly LabelledGender[]): void {
  figures.table({
    title: `Gender, share of right answers by confidence: ${title}`,
    columns: ['confidence', 'n', 'right', '95 %', 'mean confidence'],
    rows: binned(some).map(([name, group]) => [name, ...rowOf(group)]),
  })
}

/** The confidence's average error over its bins (Guo et al. 2017, "expected calibration error"). */
function calibrationError(all: readonly LabelledGender[]): number {
  return binned(all).reduce((sum, [, some]) => {
    const gap = mean(some.map(({ confidence }) => confidence)) - mean(some.map((one) => Number(isRight(one))))
    return sum + (Math.abs(gap) * some.length) / all.length
  }, 0)
}
