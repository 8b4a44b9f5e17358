/** The product's answers for a picture, and its labels. */
export interface Estimate {
  /** The person, because intervals resample people; the name of the picture if the set does not identify people. */
  readonly person: string
  /** From the label, in years; undefined if the set has no ages. */
  readonly years: number | undefined
  /** From the label; undefined if the set does not have it. */
  readonly gender: Gender | undefined
  /** The set's own label of race or skin, in words. */
  readonly race: string | undefined
  /** Years. */
  readonly prediction: number
  readonly uncertainty: number
  /** The spread of the answers, in years. */
  readonly spread: number
  /** Probability 0...1. */
  readonly male: number
  /** Of the likelier gender, 0.5...1. */
  readonly confidence: number
}

export const genderNames = ['male', 'female'] as const
export type Gender = (typeof genderNames)[number]

/** An estimate whose label has an age. */
export type Aged = Estimate & { readonly years: number }

export function aged(estimates: readonly Estimate[]): Aged[] {
  return estimates.filter((one): one is Aged => one.years !== undefined)
}

/** In years; positive if the person is taken for older. */
export function errorOf({ years, prediction }: Aged): number {
  return prediction - years
}

export function absoluteErrorOf(one: Aged): number {
  return Math.abs(errorOf(one))
}

export function isAdult({ years }: Aged): boolean {
  return years >= 18
}
