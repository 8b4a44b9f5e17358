import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'

/**
 * How many standard deviations below its mean a mate may lie and still be considered: 1 in 2,000 lies beyond. Two such
 * bounds are applied in sequence, so at most 1 in 1,000 mates at the threshold is missed, and far fewer above it.
 */
const deviations = 3.2905

/**
 * The spread of real embeddings relative to the formulas below, which assume uniformly random rotations: the maximum over
 * both bounds and every cosine, rounded up. `npm run bench -- codes` measures it: 1.008 for pairs of LFW. For
 * `dlib-face/2`, only generated pairs have been measured (`code-bounds.test.ts`).
 */
const measuredSpread: Readonly<Record<EmbeddingModel, number>> = {
  'fr-feature/2': 1.03,
  'dlib-face/2': 1.05,
}

/**
 * Mean and standard deviation of the Hamming distance of two codes, over all rotations of two vectors with a cosine.
 *
 * [Note: A bound, never a number of rows] A rotated component of both vectors differs in sign with the probability a/pi,
 * where a is their angle, so n*a/pi bits differ on average. Components of a rotated unit vector are not independent,
 * since their squares sum to 1 and their products to the cosine. That takes sin(a)^2/pi^2 off the variance of each bit,
 * p*(1-p).
 */
export function hammingSpread(cosine: number, length: number): Spread {
  const angle = Math.acos(Math.min(1, Math.max(-1, cosine)))
  const share = angle / Math.PI
  const variance = share * (1 - share) - (Math.sin(angle) / Math.PI) ** 2
  return { mean: length * share, deviation: Math.sqrt(Math.max(0, length * variance)) }
}

/**
 * The same for the cosine estimated from a query and a code. The sum of the absolute components of a unit vector varies
 * by (pi-3)/2 of a cosine's square, and the orthogonal part adds (pi-2)/2 of the sine's, each over n.
 */
export function estimateSpread(cosine: number, length: number): Spread {
  const along = cosine ** 2 * ((Math.PI - 3) / 2)
  const across = (1 - cosine ** 2) * ((Math.PI - 2) / 2)
  return { mean: cosine, deviation: Math.sqrt((along + across) / length) }
}

export interface Spread {
  readonly mean: number
  readonly deviation: number
}

/** The limits that select which codes to consider for a cosine. */
export interface CodeBounds {
  /** Codes that differ in more bits than this are skipped. */
  readonly mostBits: number
  /** Of the remaining codes, those with a lower estimated cosine are skipped. */
  readonly leastEstimate: number
}

/** The limits that miss at most 1 in 1,000 of the faces that barely reach a cosine. */
export function codeBounds(cosine: number, model: EmbeddingModel): CodeBounds {
  const length = embeddingLengths[model]
  const beyond = deviations * measuredSpread[model]
  const [bits, estimate] = [hammingSpread(cosine, length), estimateSpread(cosine, length)]
  return {
    mostBits: Math.min(length, Math.ceil(bits.mean + beyond * bits.deviation)),
    leastEstimate: estimate.mean - beyond * estimate.deviation,
  }
}
