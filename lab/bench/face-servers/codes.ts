import { randomBytes } from 'node:crypto'
import { dot } from '#lab/evaluate/statistics/dot.ts'
import { embeddingLengths, embeddingModel, lengthOf } from '../../../models/rules/embedding.ts'
import { sought } from '../../../models/rules/person-part.ts'
import { cosineOf } from '../../../models/rules/similarity.ts'
import {
  codeBounds,
  estimateSpread,
  hammingSpread,
} from '../../../server/features/recognition/codes/code-bounds.ts'
import { createRotation } from '../../../server/features/recognition/codes/rotation.ts'
import {
  createEstimator,
  hammingDistance,
  signCode,
} from '../../../server/features/recognition/codes/sign-code.ts'
import { peopleOf } from '../search/people.ts'

interface Options {
  /** A folder of labelled pictures. */
  readonly data?: string | undefined
}

const seed = 1
/** Pairs are put together by their cosines, so wide. */
const binWidth = 0.05
const [firstBin, lastBin] = [0, 0.9]
const pairsOfBin = 400
const rotationsOfPair = 50
/** Pairs this close to the threshold of a match are counted as they just reach it. */
const nextToThreshold = 0.03

interface Pair {
  /** As a search takes it: of a length of its own. */
  readonly one: Float32Array
  /** As it is stored. */
  readonly other: Float32Array
  readonly cosine: number
}

/** How far codes of real pairs of faces spread, over that of the formulas which the bounds of a search rest on. */
export async function benchCodes(options: Options): Promise<Record<string, number>> {
  const { samples, isReal } = await peopleOf(options.data ?? '../shared/data/recognition/lfw', seed)
  if (!isReal) console.log('There are no labelled pictures at hand: every face is invented.')
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

/** Real pairs by their cosines: those of one person among them, wherever they are that alike. */
function binsOf(vectors: readonly Float32Array[]): [from: number, pairs: Pair[]][] {
  const count = Math.round((lastBin - firstBin) / binWidth)
  const bins = Array.from({ length: count }, (): Pair[] => [])
  for (const [i, one] of vectors.entries()) {
    for (const other of vectors.slice(i + 1)) {
      const query = sought(one, embeddingModel)
      const cosine = dot(query, 0, other, 0, one.length) / lengthOf(query)
      const bin = bins[Math.floor((cosine - firstBin) / binWidth)]
      if (bin !== undefined && bin.length < pairsOfBin) bin.push({ one: query, other, cosine })
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
  const estimate = createEstimator(own)(code, 0) / lengthOf(one)
  return { bits: hammingDistance(signCode(own), code), estimate }
}

/** The mean, and the root of the mean square: what is off the formula counts as spread. */
function spreadOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { mean, spread: Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length) }
}

/** Of real pairs that just reach the score of a match: the share that the bounds of their own cosine leave out. */
function missedAtThreshold(vectors: readonly Float32Array[]): Record<string, number> {
  const threshold = cosineOf(80)
  let [missed, tried] = [0, 0]
  for (const [, pairs] of binsOf(vectors)) {
    const near = pairs.filter(({ one, cosine }) => {
      const likeness = cosine * lengthOf(one)
      return likeness >= threshold && likeness < threshold + nextToThreshold
    })
    for (const { one, other, cosine } of near) {
      const { mostBits, leastEstimate } = codeBounds(cosine, 1, embeddingModel)
      for (let i = 0; i < rotationsOfPair; i++) {
        const { bits, estimate } = seenBy(one, other)
        tried++
        if (bits > mostBits || estimate < leastEstimate) missed++
      }
    }
  }
  console.log(
    `${missed} of ${tried} are left out by the bounds of their own cosine (${embeddingLengths[embeddingModel]} bits)`,
  )
  return { missedAtThreshold: missed / tried, 'missedAtThreshold.n': tried }
}
