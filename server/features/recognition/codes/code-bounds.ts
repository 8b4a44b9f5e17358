import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'

/**
 * How many standard deviations below its mean a mate may lie and still be looked at: 1 in 2,000 lies beyond. There are two bounds one
 * behind the other, so at most 1 in 1,000 mates at the threshold is missed; those above it are missed far less.
 */
const deviations = 3.2905

/**
 * The spread of real embeddings over that of the formulas below, which hold for rotations that are drawn evenly: the largest of both bounds and of
 * every cosine, rounded up. `npm run bench -- codes` measures it: 1.008 for pairs of LFW; of `dlib-face/2` pairs that were drawn have been
 * measured alone (`code-bounds.test.ts`).
 */
const measuredSpread: Readonly<Record<EmbeddingModel, number>> = {
  'fr-feature/2': 1.03,
  'dlib-face/2': 1.05,
}

/**
 * The mean and the spread of the Hamming distance of two codes, over all rotations of two vectors with a cosine.
 *
 * [Note: A bound, never a number of rows] A turned number of both has another sign with the probability a/pi, a being their angle: so n*a/pi
 * bits differ on average. Numbers of a turned unit vector are not independent, as their squares sum up to 1 and their products to the cosine;
 * that takes sin(a)^2/pi^2 off the variance of each bit, p*(1-p).
 */
export function hammingSpread(cosine: number, length: number): Spread {
  const angle = Math.acos(Math.min(1, Math.max(-1, cosine)))
  const share = angle / Math.PI
  const variance = share * (1 - share) - (Math.sin(angle) / Math.PI) ** 2
  return { mean: length * share, deviation: Math.sqrt(Math.max(0, length * variance)) }
}

/**
 * The same of the cosine that is estimated from what is sought and a code. The sum of the sizes of the numbers of a unit vector varies by
 * (pi-3)/2 of a cosine's square, and what is at right angles to it adds (pi-2)/2 of the sine's, each over n.
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

/** What is looked at of a collection to find those that reach a cosine. */
export interface CodeBounds {
  /** Codes that differ in more bits are left. */
  readonly mostBits: number
  /** Of the others those whose estimated dot product is less are left. */
  readonly leastEstimate: number
}

/**
 * Bounds that leave out at most 1 in 1,000 of the faces whose dot product with what is sought just reaches `least`. Faces are unit vectors;
 * what is sought has the length `soughtLength`, which divides the dot product into a cosine and multiplies the estimate of one.
 */
export function codeBounds(least: number, soughtLength: number, model: EmbeddingModel): CodeBounds {
  const length = embeddingLengths[model]
  const cosine = Math.min(1, Math.max(-1, least / soughtLength))
  const beyond = deviations * measuredSpread[model]
  const [bits, estimate] = [hammingSpread(cosine, length), estimateSpread(cosine, length)]
  return {
    mostBits: Math.min(length, Math.ceil(bits.mean + beyond * bits.deviation)),
    leastEstimate: soughtLength * (estimate.mean - beyond * estimate.deviation),
  }
}
