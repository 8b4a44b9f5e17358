import { dot } from '#lab/statistics/dot.ts'
import type { Samples } from './samples.ts'

/** Comparisons between two samples each, starting with the most similar. */
export interface Comparisons {
  /** In descending order. */
  readonly cosines: Float32Array
  /** The indices of the compared samples. */
  readonly a: Int32Array
  readonly b: Int32Array
  /** The total number, including comparisons that are not listed because they are less similar. */
  readonly total: number
}

export interface AllPairs {
  readonly samples: Samples
  readonly groups: ArrayLike<number> | undefined
  /** All pairs of the same person. */
  readonly genuine: Comparisons
  /** Pairs of different people, limited to the most similar ones. */
  readonly impostor: Comparisons
  /** The mean cosine of all impostor pairs, or NaN if there are none. */
  readonly meanOfStrangers: number
}

export interface PairOptions {
  /** The share of impostor pairs to list, starting with the most similar. Defaults to 0.03. */
  readonly listed?: number
  /** Each sample's group. Only samples from the same group are compared. Defaults to a single group. */
  readonly groups?: ArrayLike<number>
}

/** If there are fewer impostor pairs, all of them are listed. */
const fewPairs = 200_000
const bins = 8192

/**
 * Compares every sample with every other. For ten thousand samples with 512 numbers each, this takes 50 million comparisons and half a minute. Each
 * result is computed once and stored as a number, and only the listed ones are sorted.
 */
export function compareAll(samples: Samples, options: PairOptions = {}): AllPairs {
  const { listed = 0.03, groups } = options
  const counts = (a: number, b: number) => groups === undefined || groups[a] === groups[b]
  const cosines = triangle(samples, counts)
  const { persons, count } = samples
  const histogram = new Float64Array(bins + 1)
  const genuine: number[] = []
  let [impostors, sum] = [0, 0]
  for (let i = 1, k = 0; i < count; i++) {
    for (let j = 0; j < i; j++, k++) {
      if (!counts(i, j)) continue
      if (persons[i] === persons[j]) genuine.push(i, j, k)
      else {
        impostors++
        sum += cosines[k]!
        const bin = binOf(cosines[k]!)
        histogram[bin] = histogram[bin]! + 1
      }
    }
  }
  const lowest = impostors <= fewPairs ? 0 : binHolding(histogram, impostors * listed)
  const alike: number[] = []
  for (let i = 1, k = 0; i < count; i++) {
    for (let j = 0; j < i; j++, k++) {
      const isListed = persons[i] !== persons[j] && binOf(cosines[k]!) >= lowest && counts(i, j)
      if (isListed) alike.push(i, j, k)
    }
  }
  return {
    samples,
    groups,
    genuine: comparisons(genuine, cosines, genuine.length / 3),
    impostor: comparisons(alike, cosines, impostors),
    meanOfStrangers: sum / impostors,
  }
}

function binOf(cosine: number): number {
  return Math.max(0, Math.min(bins, Math.floor(((cosine + 1) / 2) * bins)))
}

/** The highest bin such that it and all bins above it contain at least `count` values. */
function binHolding(histogram: Float64Array, count: number): number {
  let bin = bins
  let sum = histogram[bin]!
  while (bin > 0 && sum < count) sum += histogram[--bin]!
  return bin
}

/** `found` repeatedly lists a, b and the index of the cosine. */
function comparisons(found: readonly number[], cosines: Float32Array, total: number): Comparisons {
  const count = found.length / 3
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  order.sort((x, y) => cosines[found[3 * y + 2]!]! - cosines[found[3 * x + 2]!]!)
  const listed = {
    cosines: new Float32Array(count),
    a: new Int32Array(count),
    b: new Int32Array(count),
    total,
  }
  for (let i = 0; i < count; i++) {
    const at = 3 * order[i]!
    listed.a[i] = found[at]!
    listed.b[i] = found[at + 1]!
    listed.cosines[i] = cosines[found[at + 2]!]!
  }
  return listed
}

/** The number of rows that stay in the nearest cache while all others are streamed past them. */
const tile = 32

/** The similarity of (i, j) with j < i is stored at i (i - 1) / 2 + j. */
function triangle(
  { count, length, embeddings, likenessOf }: Samples,
  counts: (a: number, b: number) => boolean,
): Float32Array {
  const cosines = new Float32Array((count * (count - 1)) / 2)
  for (let from = 0; from < count; from += tile) {
    const to = Math.min(count, from + tile)
    for (let i = from + 1; i < count; i++) {
      const start = (i * (i - 1)) / 2
      const end = Math.min(i, to)
      for (let j = from; j < end; j++)
        if (counts(i, j)) {
          const cosine = dot(embeddings, i * length, embeddings, j * length, length)
          cosines[start + j] = likenessOf(i, j, cosine)
        }
    }
  }
  return cosines
}
