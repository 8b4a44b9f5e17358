import type { Row } from '#lab/csv.ts'
import type { Figures } from '#lab/evaluate/figures.ts'
import { numeral } from '#lab/evaluate/print.ts'
import { cosineOf, scoreOf } from '../../../models/rules/similarity.ts'
import { type AllPairs, compareAll } from './all-pairs.ts'
import { errorRates } from './error-rates.ts'
import { scores, widened } from './pair-figures.ts'
import { personBootstrap } from './person-bootstrap.ts'
import type { Samples } from './samples.ts'

/** The label columns that a set must have. */
export const groupColumns = ['gender', 'race', 'age'] as const

/** UTKFace's race labels in the words of its authors. Other labels are used unchanged. */
const raceNames: Readonly<Record<string, string>> = {
  0: 'White',
  1: 'Black',
  2: 'Asian',
  3: 'Indian',
  4: 'other',
}

const grownUp = 20
/** Fewer pairs than this are not informative. */
const fewestPairs = 1000
/** The median for two pictures of the same person. Strangers who are this similar are the same person listed twice in the set. */
const double = 0.7

/** A part of a set, and the prefix for its figures' names. */
interface Part {
  readonly name: string
  readonly isIn: (row: Row) => boolean
}

/**
 * False matches among strangers with the same gender, race label and decade of age: overall, below and above the age of 20, and for the latter by
 * gender and race. They are more similar to each other than the impostors used to calibrate the scores.
 */
export function addSameGroup(figures: Figures, samples: Samples, rows: readonly Row[]): void {
  const kinds = [...new Set(rows.filter((row) => Number(row.age) >= grownUp).map(kindOf))].sort()
  const parts: Part[] = [
    { name: '', isIn: () => true },
    { name: `under${grownUp}.`, isIn: ({ age }) => Number(age) < grownUp },
    { name: `from${grownUp}.`, isIn: ({ age }) => Number(age) >= grownUp },
    ...kinds.map((kind) => ({
      name: `from${grownUp}.${kind}.`,
      isIn: (row: Row) => Number(row.age) >= grownUp && kindOf(row) === kind,
    })),
  ]
  const found = parts.flatMap(({ name, isIn }) => {
    const groups = rows.map((row, i) => (isIn(row) ? groupOf(row) : `none ${i}`))
    return addRates(figures, name, compareAll(samples, { groups: numbered(groups), listed: 1 }))
  })
  figures.table({
    title: 'False matches among strangers of the same gender, race label and decade, doubles left out',
    columns: ['people', ...scores.map((score) => `at ${score}`), 'pairs'],
    rows: found,
  })
  figures.note(
    `Pairs with a cosine of ${double} and more are treated as one person listed twice (such sets contain the same picture under several names); figures without "Doubles" in their name count them as strangers.`,
  )
  figures.note(conclusionOf(figures))
}

/** Compares the figures with what the scores promise. Parts without figures are skipped. */
function conclusionOf(figures: Figures): string {
  const at = (part: string, score = 80) => figures.get(`${part}${nameOf('WithoutDoubles', score)}`)?.value
  const [all, anybody, grown, young, youngAt95] = [
    figures.get('fmrAtScore80')?.value,
    at(''),
    at(`from${grownUp}.`),
    at(`under${grownUp}.`),
    at(`under${grownUp}.`, 95),
  ]
  const of = (words: string, value: number | undefined) =>
    value === undefined ? [] : [`${words} ${numeral(value)}`]
  const measured = [
    ...(all === undefined
      ? []
      : [`${numeral(all)} of all pairs of strangers match at it, doubles among them`]),
    ...of('of those of one group, without doubles,', anybody),
    ...of(`from ${grownUp} years on`, grown),
    ...of(`under ${grownUp} years`, young).map((words) =>
      youngAt95 === undefined ? words : `${words}, and at 95 still ${numeral(youngAt95)}`,
    ),
  ]
  return `A score of 80 stands for a false match rate of ${numeral(1e-4)}. Here ${measured.join('; ')}. Where impostors are likely to be similar (same sex, origin and age), require a higher score.`
}

const kindOf = ({ gender, race = '' }: Row) => `${gender}.${raceNames[race] ?? race}`
const groupOf = (row: Row) => `${kindOf(row)}.${Math.floor(Number(row.age) / 10)}`

function addRates(figures: Figures, part: string, pairs: AllPairs): (string | number)[][] {
  const { total } = pairs.impostor
  if (total < fewestPairs) return []
  const bounds = personBootstrap(pairs.samples.personCount, (drawn) => ratesOf(pairs, drawn))
  const rates = ratesOf(pairs)
  for (const [name, value] of Object.entries(rates))
    figures.add(`${part}${name}`, value, total, widened(bounds[name], value, total))
  return [[part || 'all', ...scores.map((score) => rates[nameOf('WithoutDoubles', score)]!), total]]
}

const nameOf = (which: '' | 'WithoutDoubles', score: number) => `fmrSameGroup${which}AtScore${score}`

function ratesOf(pairs: AllPairs, drawn?: ArrayLike<number>): Record<string, number> {
  const { falseMatchRate } = errorRates(pairs, drawn)
  const { model } = pairs.samples
  const doubles = falseMatchRate(cosineOf(scoreOf(double), model))
  return Object.fromEntries(
    scores.flatMap((score) => {
      const rate = falseMatchRate(cosineOf(score, model))
      return [
        [nameOf('', score), rate],
        [nameOf('WithoutDoubles', score), (rate - doubles) / (1 - doubles)],
      ]
    }),
  )
}

function numbered(names: readonly string[]): Int32Array {
  const numbers = new Map([...new Set(names)].map((name, i) => [name, i]))
  return Int32Array.from(names, (name) => numbers.get(name)!)
}
