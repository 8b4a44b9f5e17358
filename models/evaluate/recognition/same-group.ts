import { cosineOf } from '#models/similarity.ts'
import type { Row } from '../csv.ts'
import type { Figures } from '../figures.ts'
import { compareAll } from './all-pairs.ts'
import { errorRates } from './error-rates.ts'
import { scores, widened } from './pair-figures.ts'
import { personBootstrap } from './person-bootstrap.ts'
import type { Samples } from './samples.ts'

/** The columns of labels that a set must have. */
export const groupColumns = ['gender', 'race', 'age'] as const

/** The race labels of UTKFace in its authors' words; others stand as they are. */
const raceNames: Readonly<Record<string, string>> = {
  0: 'White',
  1: 'Black',
  2: 'Asian',
  3: 'Indian',
  4: 'other',
}

/** Fewer pairs than that tell nothing of a rate of one in a thousand. */
const fewestPairs = 3000

/**
 * False matches among strangers of the same gender, race label and decade of age, in all, and by gender and race:
 * they are more alike than the impostors that the scores are calibrated on.
 */
export function addSameGroup(figures: Figures, samples: Samples, rows: readonly Row[]): void {
  const kinds = rows.map(({ gender, race = '' }) => `${gender}.${raceNames[race] ?? race}`)
  const groups = kinds.map((kind, i) => `${kind}.${Math.floor(Number(rows[i]!.age) / 10)}`)
  addRates(figures, '', samples, numbered(groups))
  const found: (readonly (string | number)[])[] = []
  for (const kind of [...new Set(kinds)].sort()) {
    const ofKind = groups.map((group, i) => (kinds[i] === kind ? group : `none ${i}`))
    const rates = addRates(figures, `${kind}.`, samples, numbered(ofKind))
    if (rates !== undefined) found.push([kind, ...rates])
  }
  figures.table({
    title: 'False matches among strangers of the same gender, race label and decade',
    columns: ['group', ...scores.map((score) => `at ${score}`), 'pairs'],
    rows: found,
  })
}

function addRates(
  figures: Figures,
  prefix: string,
  samples: Samples,
  groups: Int32Array,
): number[] | undefined {
  const pairs = compareAll(samples, { groups, listed: 1 })
  const { total } = pairs.impostor
  if (total < fewestPairs) return undefined
  const rates = (drawn?: ArrayLike<number>) => {
    const errors = errorRates(pairs, drawn)
    return scores.map(
      (score) => [`fmrSameGroupAtScore${score}`, errors.falseMatchRate(cosineOf(score))] as const,
    )
  }
  const bounds = personBootstrap(samples.personCount, (drawn) => Object.fromEntries(rates(drawn)))
  for (const [name, value] of rates())
    figures.add(`${prefix}${name}`, value, total, widened(bounds[name], value, total))
  return [...rates().map(([, value]) => value), total]
}

function numbered(names: readonly string[]): Int32Array {
  const numbers = new Map([...new Set(names)].map((name, i) => [name, i]))
  return Int32Array.from(names, (name) => numbers.get(name)!)
}
