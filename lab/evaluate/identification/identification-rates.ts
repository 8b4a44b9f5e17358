/** Searches with the pictures of a set, in one gallery. */
export interface Searches {
  /** The person of each picture. */
  readonly persons: ArrayLike<number>
  /** Similarity of each to the nearest enrolled other person. */
  readonly others: ArrayLike<number>
  /** Similarity of each to its own person's enrolled picture; NaN for that picture itself. */
  readonly own: ArrayLike<number>
}

/** How often searches go wrong; NaN if there were none. */
export interface IdentificationRates {
  /** Share of people who are not enrolled and get a match. */
  readonly falsePositive: number
  /** Share of enrolled people who are not found, or for whom another person is. */
  readonly falseNegative: number
}

/**
 * The errors of an open set (ISO/IEC 19795-1) at a cosine. Each picture is searched once as a stranger's, without its
 * person in the gallery, and, unless it is the enrolled one, once as an enrolled person's. `weights` is how often
 * each person was drawn.
 */
export function identificationRates(
  { persons, others, own }: Searches,
  threshold: number,
  weights?: ArrayLike<number>,
): IdentificationRates {
  let [strangers, found, enrolled, missed] = [0, 0, 0, 0]
  for (let i = 0; i < persons.length; i++) {
    const weight = weights === undefined ? 1 : weights[persons[i]!]!
    strangers += weight
    if (others[i]! >= threshold) found += weight
    if (Number.isNaN(own[i])) continue
    enrolled += weight
    if (own[i]! < threshold || others[i]! > own[i]!) missed += weight
  }
  return { falsePositive: found / strangers, falseNegative: missed / enrolled }
}
