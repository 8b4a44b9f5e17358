import { join } from 'node:path'
import type { Calibration } from '#lab/evaluate/calibration/calibration.ts'
import { readSets } from '#lab/evaluate/data-set.ts'
import { binsBetween, quantileBins, rising, rounded } from '#lab/evaluate/demographic/bins.ts'
import {
  absoluteErrorOf,
  aged,
  type Estimate,
  type LabelledEstimate,
} from '#lab/evaluate/demographic/estimate.ts'
import { estimateAll } from '#lab/evaluate/demographic.ts'
import { partOf } from '#lab/evaluate/part.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import type { Effort } from '../../../models/rules/age/age-uncertainty.ts'
import { type Bin, lookUp } from '../../../models/rules/lookup.ts'

const folders = ['demographic', 'recognition/fgnet']

/** Calibrates the tables for an age's uncertainty and a gender's confidence on one half of the people. */
export const ageCalibration: Calibration = {
  name: 'age',
  summary: 'the expected error of an age, and how often a gender of a given certainty is right',
  async calibrate(data, bench) {
    const full = await estimatesOf(data, bench, 'full')
    const light = await estimatesOf(data, bench, 'light')
    const values = {
      full: ageTables(aged(full)),
      light: ageTables(aged(light)),
      gender: genderTables(full),
    }
    const text = cardOf(values, full)
    return { values, cards: { 'age-gender': text, 'faceres-deep': text } }
  },
}

async function estimatesOf(data: string, bench: Bench, effort: Effort): Promise<Estimate[]> {
  const sets = folders
    .flatMap((folder) => readSets(join(data, folder)))
    .filter(({ columns }) => columns.has('age') || columns.has('gender'))
  const all: Estimate[] = []
  for (const set of sets) {
    const found = await estimateAll(partOf(set, 'tuning'), bench, effort)
    all.push(...found.filter((one) => one !== undefined))
  }
  return all
}

const ageEdges = [0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 130]
const fewestOfAnAge = 40

/** The error by estimated age, and the factor by which it grows if the answers disagree. */
function ageTables(all: readonly LabelledEstimate[]) {
  const errors = all.map((one) => ({ x: one.prediction, y: absoluteErrorOf(one) }))
  const errorByAge = rounded(binsBetween(ageEdges, errors, fewestOfAnAge))
  const factors = all.map((one) => ({
    x: one.spread,
    y: absoluteErrorOf(one) / lookUp(errorByAge, one.prediction),
  }))
  return { errorByAge, factorBySpread: rounded(rising(quantileBins(10, factors))) }
}

const certaintyEdges = [0.5, 0.7, 0.85, 0.95, 1.01]

/** How often the gender was right, by how certain the answers were. Sets without ages are assumed to show adults. */
function genderTables(all: readonly Estimate[]) {
  const labelled = all.filter(({ gender }) => gender !== undefined)
  const minors = labelled.filter(({ prediction }) => prediction < 18)
  const adults = labelled.filter(({ prediction }) => prediction >= 18)
  return { minors: rightByCertainty(minors), adults: rightByCertainty(adults) }
}

/** [Note: Never quite certain] Applies Laplace's rule, so that a bin without any mistakes does not count as infallible. */
function rightByCertainty(some: readonly Estimate[]): Bin[] {
  const cases = some.map(({ gender, male }) => ({
    x: Math.max(male, 1 - male),
    y: Number(male >= 0.5 === (gender === 'male')),
  }))
  const bins = binsBetween(certaintyEdges, cases, 20)
  const careful = bins.map(({ x, y, n }) => ({ x, y: Math.max(0.5, (y * n + 1) / (n + 2)), n }))
  return rounded(rising(careful))
}

type Tables = Readonly<Record<string, readonly Bin[]>>

function cardOf(values: { full: Tables; light: Tables; gender: Tables }, all: readonly Estimate[]): string {
  const people = new Set(all.map(({ person }) => person)).size
  return [
    `**Calibration** (\`npm run calibrate -- age\`), on ${all.length} pictures of ${people} people: the tuning halves of UTKFace, FG-NET and`,
    'CelebA. Tables of means, nothing is fitted; between the middles of the bins the value is linear.',
    '',
    ...tableOf('Mean error of the age in years by estimated age, full', values.full.errorByAge!),
    ...tableOf('Factor by spread in years, full', values.full.factorBySpread!),
    ...tableOf('Mean error by estimated age, light', values.light.errorByAge!),
    ...tableOf('Factor by spread, light', values.light.factorBySpread!),
    ...tableOf('Right genders by certainty, estimated age under 18', values.gender.minors!),
    ...tableOf('Right genders by certainty, 18 and older', values.gender.adults!),
  ].join('\n')
}

function tableOf(title: string, bins: readonly Bin[]): string[] {
  const row = (name: string, read: (bin: Bin) => number) => `| ${name} | ${bins.map(read).join(' | ')} |`
  return [
    `${title}:`,
    '',
    row('middle of the bin', ({ x }) => x),
    `|---|${bins.map(() => '---|').join('')}`,
    row('value', ({ y }) => y),
    row('pictures', ({ n }) => n),
    '',
  ]
}
