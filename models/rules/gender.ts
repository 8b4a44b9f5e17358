import calibration from '../calibration/age.json' with { type: 'json' }
import type { GenderEstimate } from './analysis.ts'
import { lookUp } from './lookup.ts'

/**
 * Younger faces (by estimated age) hardly show a gender. They have their own table and never count as more certain than adults, even if
 * their few pictures suggest so.
 */
const grownUpFromYears = 18

/** The gender that the estimate favours. */
export function genderOf({ male }: Pick<GenderEstimate, 'male'>): 'Male' | 'Female' {
  return male >= 0.5 ? 'Male' : 'Female'
}

/**
 * The measured probability that an answer this certain is correct, 0.5...1, rather than the networks' own confidence.
 * `male` is the mean answer, 0...1, and `prediction` is the estimated age in years.
 */
export function genderConfidence(male: number, prediction: number): number {
  const { minors, adults } = calibration.gender
  const certainty = Math.max(male, 1 - male)
  const ofAdults = lookUp(adults, certainty)
  return prediction < grownUpFromYears ? Math.min(ofAdults, lookUp(minors, certainty)) : ofAdults
}
