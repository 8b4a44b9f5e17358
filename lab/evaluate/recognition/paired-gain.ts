import type { Figures } from '#lab/evaluate/figures.ts'
import { embeddingLengths } from '../../../models/rules/embedding.ts'
import type { Pack } from '../../../models/rules/packs.ts'
import { type AllPairs, compareAll } from './all-pairs.ts'
import { errorRates } from './error-rates.ts'
import { fewestExpected } from './pair-figures.ts'
import { personBootstrap } from './person-bootstrap.ts'
import { packSamples, type Samples } from './samples.ts'

const falseMatchRates = ['1e-4', '1e-5'] as const

/**
 * How many more true matches both embeddings yield than the first one alone, at false match rates of 1e-4 and 1e-5. Both use the same pairs and the
 * same draw of people, so that this is the interval of the difference. A no-op for packs with a single embedding.
 */
export function addPairedGain(figures: Figures, pairs: AllPairs, pack: Pack): void {
  const rates = falseMatchRates.filter((rate) => Number(rate) * pairs.impostor.total >= fewestExpected)
  if (pack.secondModel === undefined || rates.length === 0) return
  const alone = compareAll(firstOf(pairs.samples, pack))
  const gains = (drawn?: ArrayLike<number>) => {
    const [both, one] = [errorRates(pairs, drawn), errorRates(alone, drawn)]
    return Object.fromEntries(
      rates.map((rate) => [
        `pairedTarGainAtFmr${rate}`,
        both.trueMatchRateAt(Number(rate)) - one.trueMatchRateAt(Number(rate)),
      ]),
    )
  }
  const bounds = personBootstrap(pairs.samples.personCount, gains)
  for (const [name, value] of Object.entries(gains())) {
    figures.add(name, value, Number.isFinite(value) ? pairs.genuine.total : 0, bounds[name])
  }
}

/** The same samples with only their first embedding. */
function firstOf({ count, length, embeddings, persons }: Samples, { embeddingModel }: Pack): Samples {
  const own = embeddingLengths[embeddingModel]
  const first = Array.from({ length: count }, (_, i) =>
    embeddings.subarray(i * length, i * length + own).map((value) => value * Math.SQRT2),
  )
  return packSamples(first, Array.from(persons, String), embeddingModel)
}
