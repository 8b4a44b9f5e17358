import { wilson } from '#lab/statistics/wilson.ts'
import type { LiveLimits } from '../../../models/rules/liveness/live-limits.ts'
import {
  attacksIn,
  isAttack,
  type LivingScored,
  livingOf,
  livingPicturesOf,
  type ScoredPresentation,
} from './liveness-figures.ts'
import { bpcerLevels, intervalOfRefused } from './overall.ts'
import { limitRefusing, shareRefused, votesOf } from './people-limit.ts'

/** The scores of one half of the people. */
export interface HalfOfPeople {
  readonly recordings: readonly ScoredPresentation[]
  readonly pictures: readonly ScoredPresentation[]
}

/** The basis for the limits, for a network’s card: the half used for calibration, and a single run on the other half. */
export function livenessCard(
  { image, clip, screen }: LiveLimits,
  tuning: HalfOfPeople,
  heldOut: HalfOfPeople,
): string {
  return [
    '**Limits**, by `npm run calibrate -- liveness`, on one half of the people of each set, run once on the other half. Each person counts once;',
    'intervals are Wilson’s, 95 %, of people for those refused and of presentations for attacks.',
    '',
    `A recording is living from ${clip}, a picture that is judged alone from ${image}: about 3 in 100 living people of the calibrated half are`,
    `below, a recording’s limit being one logit less than that, since a session shows few frames of one moment, encoded once more. A spoof whose surroundings are dark by ${screen} or more is a \`video\`, else a \`photo\`.`,
    ...tablesOf('Recordings', clip, livingOf, (half) => half.recordings, tuning, heldOut),
    ...tablesOf('Single pictures', image, livingPicturesOf, (half) => half.pictures, tuning, heldOut),
    '',
    'Nothing here sees real-time swaps, pictures that a network animates, or generated heads.',
  ].join('\n')
}

function tablesOf(
  title: string,
  limit: number,
  living: (scored: readonly ScoredPresentation[]) => ScoredPresentation[],
  part: (half: HalfOfPeople) => readonly ScoredPresentation[],
  tuning: HalfOfPeople,
  heldOut: HalfOfPeople,
): string[] {
  const halves = [
    { name: 'calibrated', scored: part(tuning) },
    { name: 'held out', scored: part(heldOut) },
  ].map(({ name, scored }) => ({ name, living: votesOf(living(scored)), attacks: scored.filter(isAttack) }))
  const levels = bpcerLevels.map((level) => `at BPCER ${level} %`)
  return [
    '',
    `${title}: attacks accepted at the limit of ${limit}, and at the scores that refuse 1, 3 and 5 % of the half’s own people.`,
    '',
    `| half | presented | at the limit | ${levels.join(' | ')} |`,
    `|---|---|---|${levels.map(() => '---').join('|')}|`,
    ...halves.flatMap((half) => rowsOf(half, limit)),
  ]
}

function rowsOf(
  {
    name,
    living,
    attacks,
  }: { name: string; living: readonly LivingScored[]; attacks: readonly ScoredPresentation[] },
  limit: number,
): string[] {
  const limits = bpcerLevels.map((level) => limitRefusing(living, level / 100))
  const people = new Set(living.map(({ person }) => person)).size
  const { low, high } = intervalOfRefused(living, limit)
  const refused = `${percent(shareRefused(living, limit))} % refused ${interval(low, high)}`
  return [
    `| ${name} | ${people} living people | ${refused} | ${limits.map((at) => `from ${at.toFixed(2)}`).join(' | ')} |`,
    ...attacksIn(attacks).map((type) => {
      const own = attacks.filter(({ attack }) => attack === type)
      const cells = [limit, ...limits].map((from) =>
        shareOf(own.filter(({ score }) => score >= from).length, own.length),
      )
      return `| ${name} | ${type} | ${cells.join(' | ')} |`
    }),
  ]
}

function shareOf(hits: number, of: number): string {
  const { low, high } = wilson(hits, of)
  return `${hits} of ${of} ${interval(low, high)}`
}

function interval(low: number, high: number): string {
  return `[${percent(low)}, ${percent(high)} %]`
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}
