import type { Row } from '#lab/csv.ts'
import type { Effort } from '../../models/rules/age/age-uncertainty.ts'
import { type DataSet, pathOf } from './data-set.ts'
import { addAges } from './demographic/age-figures.ts'
import { addDecisions } from './demographic/decision-figures.ts'
import { type Estimate, type Gender, genderNames } from './demographic/estimate.ts'
import { addGenders } from './demographic/gender-figures.ts'
import { Figures } from './figures.ts'
import { personOf } from './part.ts'
import type { Bench } from './running/bench.ts'
import type { Task } from './task.ts'

/** Evaluates age and gender as returned by get-age and get-gender, on any set that has labels for at least one of them. */
export const demographic: Task = {
  name: 'demographic',
  summary: 'age and gender, by group; error against uncertainty; people who wrongly pass an age limit',
  async evaluate(set, bench) {
    const figures = new Figures()
    if (!set.columns.has('age') && !set.columns.has('gender')) return figures
    const estimates = await estimateAll(set, bench)
    const found = estimates.filter((one) => one !== undefined)
    addAges(figures, found)
    addGenders(figures, found)
    addDecisions(figures, found)
    figures.rate('noFace', estimates.length - found.length, estimates.length)
    return figures
  },
}

/**
 * Analyses pictures like get-age and get-gender do, including faces that fill the picture. The results are in the order of the rows and undefined if
 * no face was found.
 */
export function estimateAll(
  set: DataSet,
  bench: Bench,
  effort: Effort = 'full',
): Promise<(Estimate | undefined)[]> {
  return bench.map(set.rows, `age and gender of ${set.name}, ${effort}`, async (row) => {
    const analysis = await bench.analyse(pathOf(set, row.file!), { group: true, demographic: effort })
    const { age, gender } = analysis?.face ?? {}
    if (age === undefined || gender === undefined) return undefined
    return { ...labelsOf(row), ...age, male: gender.male, confidence: gender.confidence }
  })
}

/** In the order used by UTKFace's numbers. */
const races = ['White', 'Black', 'Asian', 'Indian', 'other']

function labelsOf(row: Row) {
  const { age, gender, race } = row
  return {
    person: personOf(row),
    years: age ? Number(age) : undefined,
    gender: genderNames.find((name): name is Gender => name === gender?.toLowerCase()),
    race: race ? (races[Number(race)] ?? race) : undefined,
  }
}
