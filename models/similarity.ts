/** A score, the cosine and the false match rate that it stands for. */
export interface CalibratedScore {
  readonly score: number
  readonly cosine: number
  /** Minus the decimal logarithm of the false match rate: 4 stands for 1e-4. */
  readonly exponent: number
  /** Beyond what was counted, from the tail of the distribution. */
  readonly extrapolated: boolean
}

/** Measured on impostor pairs of LFW (models card). */
export const calibratedScores: readonly CalibratedScore[] = [
  { score: 70, cosine: 0.336, exponent: 3, extrapolated: false },
  { score: 80, cosine: 0.412, exponent: 4, extrapolated: false },
  { score: 90, cosine: 0.477, exponent: 5, extrapolated: false },
  { score: 95, cosine: 0.533, exponent: 6, extrapolated: true },
]

const scale: readonly (readonly [cosine: number, score: number])[] = [
  [-1, -1],
  [0, 0],
  ...calibratedScores.map(({ cosine, score }) => [cosine, score] as const),
  [1, 100],
]

/** Dot product of two unit vectors of one length. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/**
 * The calibrated scale of the interface, -1...100: 70, 80, 90 and 95 stand for false match rates of 1e-3, 1e-4, 1e-5
 * and 1e-6 (the last is extrapolated). Linear between the measured points.
 */
export function scoreOf(cosineOfPair: number): number {
  const value = Math.max(-1, Math.min(1, cosineOfPair))
  return interpolate(value, 0, 1)
}

/** The cosine that belongs to a score: the inverse of `scoreOf`. */
export function cosineOf(score: number): number {
  return interpolate(Math.max(-1, Math.min(100, score)), 1, 0)
}

function interpolate(value: number, from: 0 | 1, to: 0 | 1): number {
  let i = 1
  while (i < scale.length - 1 && value > scale[i]![from]) i++
  const low = scale[i - 1]!
  const high = scale[i]!
  return low[to] + ((value - low[from]) / (high[from] - low[from])) * (high[to] - low[to])
}
