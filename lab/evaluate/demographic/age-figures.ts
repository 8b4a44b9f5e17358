import type { Figures } from '#lab/evaluate/figures.ts'
import { clusterBootstrap, groupBy } from '#lab/statistics/bootstrap.ts'
import { mean } from '#lab/statistics/quantile.ts'
import { coverages, mostCertain, riskAt } from './coverage.ts'
import { absoluteErrorOf, aged, type Estimate, errorOf, isAdult, type LabelledEstimate } from './estimate.ts'

type Statistic = (estimates: readonly LabelledEstimate[]) => number

const meanError: Statistic = (some) => mean(some.map(absoluteErrorOf))
const bias: Statistic = (some) => mean(some.map(errorOf))
const isClose = (one: LabelledEstimate) => absoluteErrorOf(one) <= 5
const closeShare: Statistic = (some) => mean(some.map((one) => Number(isClose(one))))

/** Adds the age errors for each group, and how well the uncertainty predicts them. */
export function addAges(figures: Figures, estimates: readonly Estimate[]): void {
  const all = aged(estimates)
  if (all.length === 0) return
  const add = (name: string, some: readonly LabelledEstimate[], statistic: Statistic) => {
    const people = [...groupBy(some, ({ person }) => person).values()]
    figures.add(name, statistic(some), some.length, clusterBootstrap(people, statistic))
  }
  add('maeYears', all, meanError)
  add('adultMaeYears', all.filter(isAdult), meanError)
  const minors = all.filter((one) => !isAdult(one))
  add('minorMaeYears', minors, meanError)
  add('biasYears', all, bias)
  add('adultBiasYears', all.filter(isAdult), bias)
  add('minorBiasYears', minors, bias)
  add('within5Years', all, closeShare)
  addGroups(figures, all)
  addUncertainty(figures, all, add)
}

function addGroups(figures: Figures, all: readonly LabelledEstimate[]): void {
  const groups: [string, (one: LabelledEstimate) => string | undefined][] = [
    ['decade', ({ years }) => decadeOf(years)],
    ['gender', ({ gender }) => gender],
    ['race label, adults', (one) => (isAdult(one) ? one.race : undefined)],
    [
      'race label and gender, adults',
      (one) => (isAdult(one) && one.race && one.gender ? `${one.race}, ${one.gender}` : undefined),
    ],
  ]
  for (const [title, key] of groups) {
    const known = all.filter((one) => key(one) !== undefined)
    const rows = [...groupBy(known, (one) => key(one)!)].map(([name, some]) => [name, ...rowOf(some)])
    figures.table({
      title: `Age by ${title}`,
      columns: [title, 'n', 'mean error', '95 %', 'bias', 'within 5 years', 'mean uncertainty'],
      rows: rows.sort((a, b) => Number.parseInt(a[0] as string, 10) - Number.parseInt(b[0] as string, 10)),
    })
  }
}

function rowOf(some: readonly LabelledEstimate[]): (string | number)[] {
  const people = [...groupBy(some, ({ person }) => person).values()]
  const bounds = clusterBootstrap(people, meanError)
  const interval = bounds === undefined ? '' : `${bounds.low.toFixed(2)}-${bounds.high.toFixed(2)}`
  const uncertainty = mean(some.map((one) => one.uncertainty))
  return [some.length, meanError(some), interval, bias(some), closeShare(some), uncertainty]
}

function decadeOf(years: number): string {
  const from = Math.min(90, Math.floor(years / 10) * 10)
  return from === 90 ? '90+' : `${from}-${from + 9}`
}

function addUncertainty(
  figures: Figures,
  all: readonly LabelledEstimate[],
  add: (name: string, some: readonly LabelledEstimate[], statistic: Statistic) => void,
): void {
  for (const share of coverages.filter((one) => one < 1)) {
    const percent = Math.round(100 * share)
    add(`maeYearsAt${percent}Coverage`, mostCertain(all, share), meanError)
  }
  const adults = all.filter(isAdult)
  add('adultMaeYearsAt80Coverage', mostCertain(adults, 0.8), meanError)
  const refused = all.filter(({ uncertainty }) => uncertainty > 1)
  figures.rate('uncertain', refused.length, all.length)
  add('maeYearsOfUncertain', refused, meanError)
  add(
    'maeYearsOfCertain',
    all.filter(({ uncertainty }) => uncertainty <= 1),
    meanError,
  )
  figures.table({
    title: 'Error against uncertainty',
    columns: ['uncertainty', 'n', 'mean error', '95 %', 'bias', 'within 5 years', 'mean uncertainty'],
    rows: [...groupBy(all, ({ uncertainty }) => bandOf(uncertainty))]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, some]) => [name, ...rowOf(some)]),
  })
  figures.plot({
    title: 'Age: mean error of the least uncertain estimates',
    x: { label: 'share that is kept' },
    y: { label: 'mean error, years' },
    curves: [
      { label: 'all', points: curveOf(all) },
      ...(adults.length > 0 ? [{ label: 'adults', points: curveOf(adults) }] : []),
    ],
  })
}

function bandOf(uncertainty: number): string {
  const from = Math.min(1.2, Math.floor(uncertainty * 5 + 1e-9) / 5)
  return from >= 1.2 ? '1.2+' : `${from.toFixed(1)}-${(from + 0.2).toFixed(1)}`
}

function curveOf(some: readonly LabelledEstimate[]): [number, number][] {
  return Array.from({ length: 19 }, (_, i) => (i + 2) / 20).map((share) => [share, riskAt(some, share)])
}
