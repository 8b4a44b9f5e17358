/** Cosine at which the false match rate is what the score says; measured on impostor pairs of LFW (models card). */
const calibration: readonly (readonly [cosine: number, score: number])[] = [
  [-1, -1],
  [0, 0],
  [0.336, 70],
  [0.412, 80],
  [0.477, 90],
  [0.533, 95],
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
  while (i < calibration.length - 1 && value > calibration[i]![from]) i++
  const low = calibration[i - 1]!
  const high = calibration[i]!
  return low[to] + ((value - low[from]) / (high[from] - low[from])) * (high[to] - low[to])
}
