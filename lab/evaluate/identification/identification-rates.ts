/** The searches for a set's pictures in one gallery. */
export interface Searches {
  /** Each picture's person. */
  readonly persons: ArrayLike<number>
  /** How similar each picture is to the nearest other enrolled person. */
  readonly others: ArrayLike<number>
  /** How similar each picture is to its own person's enrolled picture. NaN for the enrolled picture itself. */
  readonly own: ArrayLike<number>
}

/** How often searches go wrong. NaN if there were none. */
export interface IdentificationRates {
  /** The share of people who are not enrolled but still get a match. */
  readonly falsePositive: number
  /** The share of enrolled people who are not found, or for whom another person is found. */
  readonly falseNegative: number
}

/**
 * The errors of an open set (ISO/IEC 19795-1) at a cosine. Each picture is searched once as if it showed a stranger, with its person removed from
 * the gallery, and once as an enrolled person, unless it is the enrolled picture. `weights` is how often each person was drawn.
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
