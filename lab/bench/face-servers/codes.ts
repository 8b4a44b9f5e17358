import { randomBytes } from 'node:crypto'
import { dot } from '#lab/statistics/dot.ts'
import { embeddingLengths, embeddingModel } from '../../../models/rules/embedding.ts'
import { cosineOf } from '../../../models/rules/similarity.ts'
import {
  codeBounds,
  estimateSpread,
  hammingSpread,
} from '../../../server/features/recognition/index/postgres/codes/code-bounds.ts'
import { createRotation } from '../../../server/features/recognition/index/postgres/codes/rotation.ts'
import {
  createEstimator,
  hammingDistance,
  signCode,
} from '../../../server/features/recognition/index/postgres/codes/sign-code.ts'
import { peopleOf } from '../search/people.ts'

interface Options {
  /** A folder with labelled pictures. */
  readonly data?: string | undefined
}

const seed = 1
/** The width of the cosine bins for pairs. */
const binWidth = 0.05
const [firstBin, lastBin] = [0, 0.9]
const pairsOfBin = 400
const rotationsOfPair = 50
/** Pairs within this distance of the match threshold count as just reaching it. */
const nextToThreshold = 0.03

interface Pair {
  readonly one: Float32Array
  readonly other: Float32Array
  readonly cosine: number
}

/** The spread of the codes of real pairs of faces, relative to the formulas that the bounds of a search rely on. */
export async function benchCodes(options: Options): Promise<Record<string, number>> {
  const { samples, isReal } = await peopleOf(options.data ?? '../shared/data/recognition/lfw', seed)
  if (!isReal) console.log('There are no labelled pictures, so every face is generated.')
  const { embeddings, length } = samples
  const vectors = Array.from({ length: samples.count }, (_, i) =>
    embeddings.slice(i * length, (i + 1) * length),
  )
  const figures: Record<string, number> = {}
  let worst = 0
  console.log(
    'cosine: pairs, bits that differ over the formula (mean, spread), estimates over it (mean, spread)',
  )
  for (const [from, pairs] of binsOf(vectors)) {
    const { bits, estimates } = measured(pairs)
    const word = from.toFixed(2)
    const shown = [bits.mean, bits.spread, estimates.mean, estimates.spread].map((value) => value.toFixed(3))
    console.log(`  ${word}: ${pairs.length}, ${shown.join(', ')}`)
    worst = Math.max(worst, bits.spread, estimates.spread)
    figures[`bitSpreadAt${word}`] = bits.spread
    figures[`estimateSpreadAt${word}`] = estimates.spread
  }
  return { ...figures, worstSpread: worst, ...missedAtThreshold(vectors) }
}

/** Sorts real pairs into bins by their cosine, including any pairs of the same person. */
function binsOf(vectors: readonly Float32Array[]): [from: number, pairs: Pair[]][] {
  const count = Math.round((lastBin - firstBin) / binWidth)
  const bins = Array.from({ length: count }, (): Pair[] => [])
  for (const [i, one] of vectors.entries()) {
    for (const other of vectors.slice(i + 1)) {
      const cosine = dot(one, 0, other, 0, one.length)
      const bin = bins[Math.floor((cosine - firstBin) / binWidth)]
      if (bin !== undefined && bin.length < pairsOfBin) bin.push({ one, other, cosine })
    }
  }
  return bins
    .map((pairs, i) => [firstBin + i * binWidth, pairs] as [number, Pair[]])
    .filter(([, pairs]) => pairs.length > 0)
}

function measured(pairs: readonly Pair[]) {
  const [bits, estimates]: [number[], number[]] = [[], []]
  for (const { one, other, cosine } of pairs) {
    const length = one.length
    const [expectedBits, expectedEstimate] = [hammingSpread(cosine, length), estimateSpread(cosine, length)]
    for (let i = 0; i < rotationsOfPair; i++) {
      const seen = seenBy(one, other)
      bits.push((seen.bits - expectedBits.mean) / expectedBits.deviation)
      estimates.push((seen.estimate - expectedEstimate.mean) / expectedEstimate.deviation)
    }
  }
  return { bits: spreadOf(bits), estimates: spreadOf(estimates) }
}

function seenBy(one: Float32Array, other: Float32Array) {
  const rotation = createRotation(randomBytes(32), one.length)
  const [own, code] = [rotation(one), signCode(rotation(other))]
  return { bits: hammingDistance(signCode(own), code), estimate: createEstimator(own)(code, 0) }
}

/** The mean and the root mean square, so that a bias compared with the formula counts as spread. */
function spreadOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { mean, spread: Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length) }
}

/** Of the real pairs that just reach a match, the share that would be missed with the bounds at their own cosine. */
function missedAtThreshold(vectors: readonly Float32Array[]): Record<string, number> {
  const threshold = cosineOf(80)
  let [missed, tried] = [0, 0]
  for (const [, pairs] of binsOf(vectors)) {
    const near = pairs.filter(({ cosine }) => cosine >= threshold && cosine < threshold + nextToThreshold)
    for (const { one, other, cosine } of near) {
      const { mostBits, leastEstimate } = codeBounds(cosine, embeddingModel)
      for (let i = 0; i < rotationsOfPair; i++) {
        const { bits, estimate } = seenBy(one, other)
        tried++
        if (bits > mostBits || estimate < leastEstimate) missed++
      }
    }
  }
  console.log(
    `${missed} of ${tried} are outside the bounds at their own cosine (${embeddingLengths[embeddingModel]} bits)`,
  )
  return { missedAtThreshold: missed / tried, 'missedAtThreshold.n': tried }
}
