import type { Bounds, Table } from '#lab/evaluate/figures.ts'
import { numeral } from '#lab/evaluate/print.ts'
import { clusterBootstrap, groupBy } from '#lab/statistics/bootstrap.ts'
import { quantile } from '#lab/statistics/quantile.ts'
import { wilson } from '#lab/statistics/wilson.ts'
import { liveLimits } from '../../../models/rules/liveness/live-limits.ts'
import {
  attacksIn,
  isAttack,
  LivenessFigures,
  type LivingScored,
  livingOf,
  livingPicturesOf,
  type ScoredPresentation,
} from './liveness-figures.ts'
import { addGrid } from './liveness-grid.ts'
import { limitRefusing, shareRefused, votesOf } from './people-limit.ts'

/** APCER is reported for these percentages of rejected living people. */
export const bpcerLevels = [1, 3, 5] as const

/** Recordings of a person and single pictures are evaluated separately, with their own limits. */
export function overall(sets: readonly LivenessFigures[]): LivenessFigures {
  const figures = new LivenessFigures()
  const { clip, image } = sets[0]?.limits ?? liveLimits()
  const recordings = sets.flatMap((set) => set.recordings)
  addLevels(figures, {
    prefix: '',
    bpcerName: 'bpcerClips',
    title: `Recordings of all sets; the product’s limit is ${clip}`,
    limit: clip,
    living: votesOf(livingOf(recordings)),
    attacks: recordings.filter(isAttack),
  })
  const pictures = sets.flatMap((set) => set.pictures)
  addLevels(figures, {
    prefix: 'pictures.',
    bpcerName: 'pictures.bpcer',
    title: `Single pictures of all sets; the product’s limit is ${image}`,
    limit: image,
    living: votesOf(livingPicturesOf(pictures)),
    attacks: pictures.filter(isAttack),
  })
  const points = sets.flatMap((set) => set.points)
  if (points.length > 0) addGrid(figures, points)
  for (const note of notes) figures.note(note)
  return figures
}

const notes = [
  'A limit at BPCER 1, 3 or 5 % is the highest score that rejects no more than this share of the living people here, each counted once.',
  'The network was made for prints and screens. It detects nothing in real-time swaps, pictures animated by a network or generated heads.',
]

interface PresentationFigures {
  /** The prefix of each figure’s name. */
  readonly prefix: string
  readonly bpcerName: string
  readonly title: string
  readonly limit: number
  readonly living: readonly LivingScored[]
  readonly attacks: readonly ScoredPresentation[]
}

function addLevels(figures: LivenessFigures, presented: PresentationFigures): void {
  const { prefix, bpcerName, living, attacks, limit, title } = presented
  const people = new Set(living.map(({ person }) => person)).size
  if (people === 0) return
  const { low, high } = intervalOfRefused(living, limit)
  figures.add(bpcerName, shareRefused(living, limit), people, { low, high })
  if (attacks.length === 0) return
  for (const level of bpcerLevels) {
    figures.add(`${prefix}limitAtBpcer${level}`, limitRefusing(living, level / 100), people)
    for (const type of attacksIn(attacks)) {
      const own = attacks.filter(({ attack }) => attack === type)
      figures.add(`${prefix}apcerAtBpcer${level}.${type}`, ...acceptedAt(level / 100, living, own))
    }
  }
  figures.table(levelsTable(title, presented))
}

/** Each person counts once. Returns Wilson's interval over people, or the bootstrap interval if it is wider. */
export function intervalOfRefused(living: readonly LivingScored[], limit: number): Bounds {
  const clusters = [...groupBy(living, ({ person }) => person).values()]
  const whole = wilson(shareRefused(living, limit) * clusters.length, clusters.length)
  const drawn = clusterBootstrap(clusters, (cases) => shareRefused(cases, limit)) ?? whole
  return { low: Math.min(whole.low, drawn.low), high: Math.max(whole.high, drawn.high) }
}

/**
 * The value, count and interval for attacks that pass at a given share of rejected people. Both sides are resampled by person, because the limit is
 * uncertain too.
 */
function acceptedAt(
  share: number,
  living: readonly LivingScored[],
  attacks: readonly ScoredPresentation[],
): [number, number, Bounds] {
  const accepted = (cases: readonly (ScoredPresentation | LivingScored)[]) =>
    rate(cases.filter(isAttack), limitRefusing(cases.filter(isVote), share))
  const all = [...living, ...attacks]
  const value = accepted(all)
  const counted = wilson(value * attacks.length, attacks.length)
  const clusters = [...groupBy(all, (one) => `${one.person} ${isVote(one)}`).values()]
  const drawn = clusterBootstrap(clusters, accepted) ?? counted
  return [
    value,
    attacks.length,
    { low: Math.min(counted.low, drawn.low), high: Math.max(counted.high, drawn.high) },
  ]
}

function isVote(one: ScoredPresentation | LivingScored): one is LivingScored {
  return 'vote' in one
}

function rate(scored: readonly ScoredPresentation[], limit: number): number {
  return scored.filter(({ score }) => score >= limit).length / scored.length
}

function levelsTable(title: string, { living, attacks, limit }: PresentationFigures): Table {
  const limits = [limit, ...bpcerLevels.map((level) => limitRefusing(living, level / 100))]
  const rowOf = (name: string, own: readonly ScoredPresentation[], counts: readonly string[]) => [
    name,
    own.length,
    new Set(own.map(({ person }) => person)).size,
    ...[0.05, 0.5, 0.95].map((share) =>
      quantile(
        own.map(({ score }) => score),
        share,
      ).toFixed(3),
    ),
    ...counts,
  ]
  const passed = (own: readonly ScoredPresentation[]) =>
    limits.map((from) => `${own.filter(({ score }) => score >= from).length}`)
  return {
    title,
    columns: [
      'type',
      'n',
      'people',
      'lowest 5 %',
      'median',
      'highest 5 %',
      `passed from ${limit}`,
      ...bpcerLevels.map((level, i) => `at BPCER ${level} % (${numeral(limits[i + 1]!)})`),
    ],
    rows: [
      rowOf('living', living, passed(living)),
      ...attacksIn(attacks).map((type) => {
        const own = attacks.filter(({ attack }) => attack === type)
        return rowOf(type, own, passed(own))
      }),
    ],
  }
}
