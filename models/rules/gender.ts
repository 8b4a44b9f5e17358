import calibration from '../calibration/age.json' with { type: 'json' }
import type { GenderEstimate } from './analysis.ts'
import { lookUp } from './lookup.ts'

/**
 * Younger faces, by estimated age, hardly show a gender. They have a separate table, and never count as more certain than
 * adults, whatever their few pictures suggest.
 */
const grownUpFromYears = 18

/** The gender that a face is taken for. */
export function genderOf({ male }: Pick<GenderEstimate, 'male'>): 'Male' | 'Female' {
  return male >= 0.5 ? 'Male' : 'Female'
}

/**
 * Probability that an answer of this certainty is correct, 0.5...1: measured, not the networks' own confidence.
 * `male` is the mean answer, 0...1; `prediction` the estimated age in years.
 */
export function genderConfidence(male: number, prediction: number): number {
  const { minors, adults } = calibration.gender
  const certainty = Math.max(male, 1 - male)
  const ofAdults = lookUp(adults, certainty)
  return prediction < grownUpFromYears ? Math.min(ofAdults, lookUp(minors, certainty)) : ofAdults
}
