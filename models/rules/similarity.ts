import { embeddingModel } from '#models/rules/embedding.ts'
import tables from '../calibration/recognition.json' with { type: 'json' }

/** A score with its cosine and false match rate. */
export interface CalibratedScore {
  readonly score: number
  readonly cosine: number
  /** The negative decimal logarithm of the false match rate, e.g. 4 for 1e-4. */
  readonly exponent: number
  /** True if it is beyond the counted range and was derived from the distribution's tail. */
  readonly extrapolated: boolean
}

/** The embedding models with a table, which is written by `npm run calibrate -- recognition`. */
type CalibratedModel = keyof typeof tables

/**
 * The meaning of an embedding model's scores, from 70 to 95. See its card for the data, counts and intervals.
 * [Note: A table of its own for each embedding model] One network's cosine says nothing about another's.
 * @throws {RangeError} if the model has no table
 */
export function calibratedScores(model: string = embeddingModel): readonly CalibratedScore[] {
  if (!Object.hasOwn(tables, model)) throw new RangeError(`the embedding model ${model} was never calibrated`)
  return tables[model as CalibratedModel].points
}

/** The dot product of two unit vectors of the same length. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/**
 * The API's calibrated scale, -1...100. Scores of 70, 80, 90 and 95 correspond to false match rates of 1e-3, 1e-4, 1e-5 and 1e-6 (the last one is
 * extrapolated). Linear between the measured points.
 */
export function scoreOf(cosineOfPair: number, model: string = embeddingModel): number {
  const value = Math.max(-1, Math.min(1, cosineOfPair))
  return interpolate(scaleFor(model), value, 0, 1)
}

/** Allows for rounding errors in a score that should be an integer. */
const forgivenOfScore = 1e-6

/** [Note: A score is rounded down] A pair at 69.9 stays below a threshold of 70. */
export function wholeScore(score: number): number {
  return Math.floor(score + forgivenOfScore)
}

/** The cosine for a score, i.e. the inverse of `scoreOf`. */
export function cosineOf(score: number, model: string = embeddingModel): number {
  return interpolate(scaleFor(model), Math.max(-1, Math.min(100, score)), 1, 0)
}

type Scale = readonly (readonly [cosine: number, score: number])[]

const scales = new Map(Object.keys(tables).map((model) => [model, scaleOf(model)]))

/** [Note: Strangers score nothing] If the strangers' mean cosine is far from 0, as with dlib, the table contains it. */
function scaleOf(model: string): Scale {
  const points = calibratedScores(model).map(({ cosine, score }) => [cosine, score] as const)
  const { stranger = 0 } = tables[model as CalibratedModel] as { readonly stranger?: number }
  return [[-1, -1], [stranger, 0], ...points, [1, 100]]
}

function scaleFor(model: string): Scale {
  return scales.get(model) ?? scaleOf(model)
}

function interpolate(scale: Scale, value: number, from: 0 | 1, to: 0 | 1): number {
  let i = 1
  while (i < scale.length - 1 && value > scale[i]![from]) i++
  const low = scale[i - 1]!
  const high = scale[i]!
  return low[to] + ((value - low[from]) / (high[from] - low[from])) * (high[to] - low[to])
}
