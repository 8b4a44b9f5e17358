import type { Bounds, Curve, Figures } from '#lab/evaluate/figures.ts'
import { widened } from '#lab/evaluate/recognition/pair-figures.ts'
import { personBootstrap } from '#lab/evaluate/recognition/person-bootstrap.ts'
import type { Samples } from '#lab/evaluate/recognition/samples.ts'
import { quantile } from '#lab/statistics/quantile.ts'
import { searchThreshold } from '../../../models/rules/search-threshold.ts'
import { cosineOf, scoreOf } from '../../../models/rules/similarity.ts'
import { identificationRates } from './identification-rates.ts'
import { likenessToOwn } from './nearest-others.ts'

/** A gallery that every picture is searched in. */
export interface Gallery {
  readonly name: string
  readonly kind: 'real' | 'synthetic'
  readonly size: number
  /** How similar each picture is to the nearest of these people, excluding its own person. */
  readonly others: Float32Array
}

/**
 * [Note: The meaning of de-duplication] A collection can be kept free of duplicates as long as a search at its score
 * matches no more than 1 % of strangers, which is what the score promises, and finds nine of ten people who are in
 * it. A limit counts as kept until the whole interval lies beyond it, because the promise is as old as the score
 * table, and a few people decide at 1 %.
 */
const limits = { fpir: 0.01, fnir: 0.1 } as const
const errors = ['fpir', 'fnir'] as const
/** Sizes that get named figures. All others only appear in the table. */
const namedSizes: readonly number[] = [1000, 10_000, 100_000, 1_000_000]
const curveShares = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5] as const

type Rates = Record<string, number>
type BoundsOf = (key: string, error: 'fpir' | 'fnir') => Bounds

/**
 * A search's error rates in each gallery: at scores of 80 and 90, at the score that the product requires for this number of faces, and at the score
 * at which 1 % of strangers get a match. Also the largest gallery for which the product's own score is good enough.
 */
export function addGalleryFigures(figures: Figures, samples: Samples, galleries: readonly Gallery[]): void {
  const own = likenessToOwn(samples)
  const n = { fpir: samples.count, fnir: own.filter((cosine) => !Number.isNaN(cosine)).length }
  const rates = (drawn?: ArrayLike<number>) => ratesOf(samples, own, galleries, drawn)
  const values = rates()
  const drawn = personBootstrap(samples.personCount, rates)
  const bounds: BoundsOf = (key, error) => widened(drawn[key], values[key]!, n[error])
  for (const gallery of galleries.filter(({ size }) => namedSizes.includes(size)))
    for (const { label } of thresholdsOf(gallery, samples))
      for (const error of errors) {
        const key = keyOf(gallery, error, label)
        figures.add(key, values[key]!, n[error], bounds(key, error))
      }
  for (const kind of tables) figures.table(tableOf(kind, samples, galleries, values, bounds))
  figures.plot({
    title: 'Both errors of a search, at every threshold',
    x: { label: 'strangers who get a match', logarithmic: true },
    y: { label: 'enrolled people who are missed' },
    curves: galleries
      .filter(({ size }) => namedSizes.includes(size))
      .map((one) => curveOf(one, samples, own)),
  })
  figures.count('largestCollection', largestOf(galleries, bounds), samples.count)
}

interface Threshold {
  readonly label: string
  readonly score: number
  readonly cosine: number
}

function thresholdsOf({ size, others }: Gallery, { model }: Samples): Threshold[] {
  const own = searchThreshold(size, model).score
  const named = [
    ['Score80', 80],
    ['Score90', 90],
    ['SearchScore', own],
  ] as const
  const kept = quantile(others, 1 - limits.fpir)
  return [
    ...named.map(([label, score]) => ({ label, score, cosine: cosineOf(score, model) })),
    // Determined in the same searches that are used to count its errors, so FPIR is 1 % by definition, and FNIR is the price for it.
    { label: 'Fpir1', score: scoreOf(kept, model), cosine: kept },
  ]
}

/** One table per threshold. */
const tables = [
  { label: 'SearchScore', title: 'A search at the score that the product requires for that many faces' },
  { label: 'Score80', title: 'A search at score 80, the default for comparing two pictures' },
  { label: 'Fpir1', title: 'A search where 1 % of strangers get a match' },
] as const

const keyOf = ({ name }: Gallery, error: 'fpir' | 'fnir', label: string) => `${name}.${error}At${label}`

function ratesOf(
  samples: Samples,
  own: Float32Array,
  galleries: readonly Gallery[],
  drawn?: ArrayLike<number>,
): Rates {
  const rates: Rates = {}
  for (const gallery of galleries)
    for (const { label, cosine } of thresholdsOf(gallery, samples)) {
      const searches = { persons: samples.persons, others: gallery.others, own }
      const { falsePositive, falseNegative } = identificationRates(searches, cosine, drawn)
      rates[keyOf(gallery, 'fpir', label)] = falsePositive
      rates[keyOf(gallery, 'fnir', label)] = falseNegative
    }
  return rates
}

function tableOf(
  { label, title }: (typeof tables)[number],
  samples: Samples,
  galleries: readonly Gallery[],
  values: Rates,
  bounds: BoundsOf,
) {
  const shown = (gallery: Gallery, error: 'fpir' | 'fnir') => {
    const key = keyOf(gallery, error, label)
    const { low, high } = bounds(key, error)
    return `${percent(values[key]!)} % (${percent(low)} to ${percent(high)})`
  }
  return {
    title,
    columns: ['enrolled', 'score', 'cosine', 'strangers who get a match', 'enrolled who are missed'],
    rows: galleries.map((gallery) => {
      const { score, cosine } = thresholdsOf(gallery, samples).find((one) => one.label === label)!
      const enrolled = `${gallery.size.toLocaleString('en-GB')} ${gallery.kind}`
      return [enrolled, score.toFixed(1), cosine.toFixed(3), shown(gallery, 'fpir'), shown(gallery, 'fnir')]
    }),
  }
}

function percent(share: number): string {
  return (100 * share).toFixed(2)
}

function curveOf({ size, kind, others }: Gallery, { persons }: Samples, own: Float32Array): Curve {
  const points = curveShares.map((share) => {
    const threshold = quantile(others, 1 - share)
    return [share, identificationRates({ persons, others, own }, threshold).falseNegative] as const
  })
  return { label: `${size.toLocaleString('en-GB')} ${kind}`, points }
}

/** The largest synthetic gallery for which the limits hold, including in all smaller ones. 0 if there is none. */
function largestOf(galleries: readonly Gallery[], bounds: BoundsOf): number {
  const synthetic = galleries.filter(({ kind }) => kind === 'synthetic')
  const isBeyond = (gallery: Gallery) =>
    errors.some((error) => bounds(keyOf(gallery, error, 'SearchScore'), error).low > limits[error])
  const first = synthetic.findIndex(isBeyond)
  return (first < 0 ? synthetic.at(-1) : synthetic[first - 1])?.size ?? 0
}
