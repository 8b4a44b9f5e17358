/** The product's answers for a picture, together with its labels. */
export interface Estimate {
  /** The person, because intervals resample people. If the set does not identify people, the picture's name. */
  readonly person: string
  /** The labelled age in years. Undefined if the set has no ages. */
  readonly years: number | undefined
  /** The labelled gender. Undefined if the set does not have it. */
  readonly gender: Gender | undefined
  /** The set's own label for race or skin, in words. */
  readonly race: string | undefined
  /** In years. */
  readonly prediction: number
  readonly uncertainty: number
  /** How much the answers differ, in years. */
  readonly spread: number
  /** The probability, 0...1. */
  readonly male: number
  /** The confidence in the likelier gender, 0.5...1. */
  readonly confidence: number
}

export const genderNames = ['male', 'female'] as const
export type Gender = (typeof genderNames)[number]

/** An estimate with a labelled age. */
export type LabelledEstimate = Estimate & { readonly years: number }

export function aged(estimates: readonly Estimate[]): LabelledEstimate[] {
  return estimates.filter((one): one is LabelledEstimate => one.years !== undefined)
}

/** In years. Positive if the person looks older than they are. */
export function errorOf({ years, prediction }: LabelledEstimate): number {
  return prediction - years
}

export function absoluteErrorOf(one: LabelledEstimate): number {
  return Math.abs(errorOf(one))
}

export function isAdult({ years }: LabelledEstimate): boolean {
  return years >= 18
}
