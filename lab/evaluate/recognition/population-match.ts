import type { Table } from '#lab/evaluate/figures.ts'
import { dot } from '#lab/statistics/dot.ts'
import { eigenvalues } from '#lab/statistics/eigenvalues.ts'
import { quantile } from '#lab/statistics/quantile.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import { createPopulation, picturesOf, shuffled } from './population.ts'
import type { Samples } from './samples.ts'

/** Faces of different people, packed one after another. */
interface Faces {
  readonly count: number
  readonly length: number
  readonly embeddings: Float32Array
}

const tails = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] as const
/** A share is only reported if it covers at least this many pairs. */
const fewestPairs = 3
const nearestShares = [0.05, 0.5, 0.95] as const
const dimensionShares = [0.5, 0.9, 0.99] as const

/**
 * How well synthetic people resemble real ones: the cosines reached by given shares of strangers (real with real, real with synthetic, synthetic
 * with synthetic), the nearest of a thousand, and the number of directions that the variance is spread over.
 */
export function populationMatch(samples: Samples, seed: number): Table[] {
  const real = onePictureEach(samples, seed)
  const synthetic = drawn(samples, real.count, seed)
  return [
    {
      title:
        'Strangers: the cosine that a share of the pairs reaches, and that of the nearest of half the people',
      columns: [
        'pairs',
        ...tails.map((tail) => `${tail.toExponential(0)} of them`),
        ...nearestShares.map((share) => `nearest, ${100 * share} %`),
      ],
      rows: [
        ['real with real', ...tailsOf(real), ...nearestOf(halves(real))],
        [
          'real with synthetic',
          ...tailsOf(real, synthetic),
          ...nearestOf([halves(real)[0], halves(synthetic)[1]]),
        ],
        ['synthetic with synthetic', ...tailsOf(synthetic), ...nearestOf(halves(synthetic))],
      ],
    },
    {
      title:
        'Spectrum: the share of the variance in the strongest directions, and how many hold a share of it',
      columns: [
        'people',
        'effective directions',
        'the first',
        'the 10th',
        'the 100th',
        ...dimensionShares.map((share) => `hold ${100 * share} %`),
      ],
      rows: [
        ['real', ...spectrumOf(real)],
        ['synthetic', ...spectrumOf(synthetic)],
      ],
    },
  ]
}

/** The last picture of each person, with the people in random order. */
function onePictureEach(samples: Samples, seed: number): Faces {
  const { length, embeddings, personCount } = samples
  const pictures = picturesOf(samples)
  const packed = new Float32Array(personCount * length)
  for (const [row, person] of shuffled(personCount, randomNumbers(seed)).entries()) {
    const start = pictures[person]!.at(-1)! * length
    packed.set(embeddings.subarray(start, start + length), row * length)
  }
  return { count: personCount, length, embeddings: packed }
}

function drawn(samples: Samples, count: number, seed: number): Faces {
  const population = createPopulation(samples, seed)
  const embeddings = new Float32Array(count * samples.length)
  for (let i = 0; i < count; i++) population.draw(embeddings, i * samples.length)
  return { count, length: samples.length, embeddings }
}

function halves({ count, length, embeddings }: Faces): [Faces, Faces] {
  const half = Math.floor(count / 2)
  return [
    { count: half, length, embeddings: embeddings.subarray(0, half * length) },
    { count: half, length, embeddings: embeddings.subarray(half * length, 2 * half * length) },
  ]
}

/** All pairs between two lists, or within a single list. */
function tailsOf(a: Faces, b?: Faces): (number | string)[] {
  const cosines = new Float32Array(b === undefined ? (a.count * (a.count - 1)) / 2 : a.count * b.count)
  const other = b ?? a
  let k = 0
  for (let i = 0; i < a.count; i++)
    for (let j = b === undefined ? i + 1 : 0; j < other.count; j++)
      cosines[k++] = dot(a.embeddings, i * a.length, other.embeddings, j * a.length, a.length)
  cosines.sort()
  return tails.map((share) => {
    const count = Math.floor(share * cosines.length)
    return count < fewestPairs ? '' : cosines[cosines.length - count]!
  })
}

/** How similar each face in one half is to the nearest face in the other half. */
function nearestOf([half, other]: readonly [Faces, Faces]): number[] {
  const nearest = Float32Array.from({ length: half.count }, (_, i) => {
    let best = -1
    for (let j = 0; j < other.count; j++)
      best = Math.max(
        best,
        dot(half.embeddings, i * half.length, other.embeddings, j * half.length, half.length),
      )
    return best
  })
  return nearestShares.map((share) => quantile(nearest, share))
}

function spectrumOf(faces: Faces): number[] {
  const values = eigenvalues(covarianceOf(faces), faces.length)
  const sum = values.reduce((all, value) => all + value, 0)
  const squares = values.reduce((all, value) => all + value * value, 0)
  const holding = (share: number) => {
    let [count, held] = [0, 0]
    while (held < share * sum) held += values[count++]!
    return count
  }
  const shares = [0, 9, 99].map((place) => (values[place] ?? 0) / sum)
  return [Math.round(sum ** 2 / squares), ...shares, ...dimensionShares.map(holding)]
}

function covarianceOf({ count, length, embeddings }: Faces): Float64Array {
  const mean = new Float64Array(length)
  for (let k = 0; k < count; k++)
    for (let i = 0; i < length; i++) mean[i] = mean[i]! + embeddings[k * length + i]! / count
  const covariance = new Float64Array(length * length)
  const row = new Float64Array(length)
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < length; i++) row[i] = embeddings[k * length + i]! - mean[i]!
    for (let i = 0; i < length; i++)
      for (let j = 0; j < length; j++)
        covariance[i * length + j] = covariance[i * length + j]! + (row[i]! * row[j]!) / (count - 1)
  }
  return covariance
}
