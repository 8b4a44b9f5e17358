import { join } from 'node:path'
import type { Calibration, CalibrationResult } from '#lab/evaluate/calibration/calibration.ts'
import { type DataSet, readSets } from '#lab/evaluate/data-set.ts'
import type { Bounds } from '#lab/evaluate/figures.ts'
import { type Part, partOf } from '#lab/evaluate/part.ts'
import { type AllPairs, compareAll } from '#lab/evaluate/recognition/all-pairs.ts'
import { errorRates } from '#lab/evaluate/recognition/error-rates.ts'
import { widened } from '#lab/evaluate/recognition/pair-figures.ts'
import { personBootstrap } from '#lab/evaluate/recognition/person-bootstrap.ts'
import { rounded, type ScorePoint, scoreTable } from '#lab/evaluate/recognition/score-table.ts'
import { samplesOf, seeFaces } from '#lab/evaluate/recognition/seen-faces.ts'
import type { Bench } from '#lab/evaluate/running/bench.ts'
import tables from '../../../models/calibration/recognition.json' with { type: 'json' }
import { embedders } from '../../../models/networks/embedder.ts'
import { comparedBy, type Pack } from '../../../models/rules/packs.ts'

/** One half of LFW, which has many people with only a few pictures each. */
export function setOfStrangers(data: string, part: Part): DataSet {
  return partOf(readSets(join(data, 'recognition', 'lfw'))[0]!, part)
}

/** A mean cosine of strangers that is closer to 0 than this counts as 0. */
const nearNothing = 0.05

/** The cosine for each score, calibrated on strangers in one half of the people and verified on the other half. */
export const scoreCalibration: Calibration = {
  name: 'recognition',
  isOfEveryPack: true,
  summary: 'the cosine of each score, from pairs of strangers',
  async calibrate(data: string, bench: Bench): Promise<CalibrationResult> {
    const { embeddingModel, secondModel } = bench.pack
    const model = comparedBy(bench.pack)
    const tuning = await pairsOf(data, 'tuning', bench)
    const heldOut = await pairsOf(data, 'held-out', bench)
    const { points, bounds } = scoreTable(tuning)
    const { meanOfStrangers } = tuning
    const stranger = Math.abs(meanOfStrangers) > nearNothing ? { stranger: rounded(meanOfStrangers) } : {}
    return {
      values: { ...tables, [model]: { ...stranger, points } },
      cards: {
        [embedders[secondModel ?? embeddingModel].network]: report(
          bench.pack,
          tuning,
          heldOut,
          points,
          bounds,
        ),
      },
    }
  },
}

async function pairsOf(data: string, part: Part, bench: Bench): Promise<AllPairs> {
  return compareAll(
    samplesOf(await seeFaces(setOfStrangers(data, part), bench), comparedBy(bench.pack)).samples,
  )
}

/** The section about the table in the network's card. */
function report(
  pack: Pack,
  tuning: AllPairs,
  heldOut: AllPairs,
  points: readonly ScorePoint[],
  bounds: readonly Bounds[],
): string {
  const measured = ratesAt(heldOut, points)
  const lines = points.map(({ score, exponent, cosine, extrapolated }, i) => {
    const { low, high } = bounds[i]!
    const rate = measured[i]!
    const cells = [
      score,
      `1e-${exponent}${extrapolated ? ' (extrapolated)' : ''}`,
      `${cosine} (${rounded(low)} to ${rounded(high)})`,
      `${exponential(rate.value)} (${exponential(rate.low)} to ${exponential(rate.high)})`,
    ]
    return `| ${cells.join(' | ')} |`
  })
  const named = pack.name === 'standard' ? '' : ` --pack ${pack.name}`
  return `**Scores of \`${comparedBy(pack)}\`** (\`npm run calibrate -- recognition${named}\`). The table rests on ${countsOf(tuning)} of
LFW; the last column is measured on its other half, ${countsOf(heldOut)}. Intervals (95 %) draw people, not pairs.
Strangers have a mean cosine of ${rounded(tuning.meanOfStrangers)}. Among the most alike are people who stand in LFW under two names: they are
left in, so that the higher scores are rather too strict than too lax.

| score | false match rate | cosine | measured on the other half |
|---|---|---|---|
${lines.join('\n')}`
}

function countsOf({ samples, impostor }: AllPairs): string {
  const [pictures, people, pairs] = [samples.count, samples.personCount, impostor.total].map((count) =>
    count.toLocaleString('en-GB'),
  )
  return `${pairs} pairs of strangers among ${people} people (${pictures} pictures)`
}

/** The share of strangers at or above each cosine. */
function ratesAt(pairs: AllPairs, points: readonly ScorePoint[]): (Bounds & { readonly value: number })[] {
  const rates = (drawn?: ArrayLike<number>) => {
    const errors = errorRates(pairs, drawn)
    return points.map(({ cosine }) => errors.falseMatchRate(cosine))
  }
  const bounds = personBootstrap(pairs.samples.personCount, (drawn) =>
    Object.fromEntries(rates(drawn).entries()),
  )
  return rates().map((value, i) => ({ value, ...widened(bounds[i], value, pairs.impostor.total) }))
}

function exponential(rate: number): string {
  return rate === 0 ? '0' : rate.toExponential(1)
}
