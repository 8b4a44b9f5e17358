/** What the product said of a picture, beside what its labels say. */
export interface Estimate {
  /** Whose pictures are drawn together for an interval; the picture's own name where the set does not tell. */
  readonly person: string
  /** Of the label, in years; undefined where the set has no ages. */
  readonly years: number | undefined
  /** Of the label; undefined where the set does not tell. */
  readonly gender: Gender | undefined
  /** The set's own label of race or skin, in words. */
  readonly race: string | undefined
  /** Years. */
  readonly prediction: number
  readonly uncertainty: number
  /** Years: how broad the answer was. */
  readonly spread: number
  /** Probability 0...1. */
  readonly male: number
  /** Of the gender that is likelier, 0.5...1. */
  readonly confidence: number
}

export const genderNames = ['male', 'female'] as const
export type Gender = (typeof genderNames)[number]

/** An estimate whose label has an age. */
export type Aged = Estimate & { readonly years: number }

export function aged(estimates: readonly Estimate[]): Aged[] {
  return estimates.filter((one): one is Aged => one.years !== undefined)
}

/** Years, + where the person is taken for older. */
export function errorOf({ years, prediction }: Aged): number {
  return prediction - years
}

export function absoluteErrorOf(one: Aged): number {
  return Math.abs(errorOf(one))
}

export function isAdult({ years }: Aged): boolean {
  return years >= 18
}
