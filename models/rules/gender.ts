import calibration from '../calibration/age.json' with { type: 'json' }
import type { GenderEstimate } from './analysis.ts'
import { lookUp } from './lookup.ts'

/**
 * Younger faces, by their estimated age, hardly show a gender: they have a table of their own, and are never taken to
 * be surer than a grown-up whatever their few pictures say.
 */
const grownUpFromYears = 18

/** The gender that a face is taken for. */
export function genderOf({ male }: Pick<GenderEstimate, 'male'>): 'Male' | 'Female' {
  return male >= 0.5 ? 'Male' : 'Female'
}

/**
 * How often an answer of this certainty is right, 0.5...1: measured, not what the networks believe of themselves.
 * `male` is the mean answer, 0...1; `prediction` the estimated age in years.
 */
export function genderConfidence(male: number, prediction: number): number {
  const { minors, adults } = calibration.gender
  const certainty = Math.max(male, 1 - male)
  const ofAdults = lookUp(adults, certainty)
  return prediction < grownUpFromYears ? Math.min(ofAdults, lookUp(minors, certainty)) : ofAdults
}
