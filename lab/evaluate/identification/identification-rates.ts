/** Searches by pictures of a set, in one gallery. */
export interface Searches {
  /** The person of each picture. */
  readonly persons: ArrayLike<number>
  /** How alike each is to the nearest enrolled other person. */
  readonly others: ArrayLike<number>
  /** How alike each is to its own person's enrolled picture; NaN where it is that one. */
  readonly own: ArrayLike<number>
}

/** How often searches go wrong; NaN where nothing was searched. */
export interface IdentificationRates {
  /** Of people who are not enrolled: for whom somebody is found. */
  readonly falsePositive: number
  /** Of enrolled people: who are not found, or for whom another one is. */
  readonly falseNegative: number
}

/**
 * The errors of an open set (ISO/IEC 19795-1) at a cosine. Each picture is searched once as that of a stranger, without
 * its person in the gallery, and, where it is not the enrolled one, once as that of an enrolled person. `weights` says
 * how often each person was drawn.
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
