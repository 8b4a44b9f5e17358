import type { FaceAnalysis } from '#models/rules/analysis.ts'
import { genderOf } from '#models/rules/gender.ts'

export interface DemographicalInfo {
  readonly age: string
  readonly gender: 'Male' | 'Female'
  /** How often such an answer is right, 0.5 to 1: measured, lower for children. */
  readonly genderConfidence: number
}

const widthInYears = 10
const firstInYears = 5

/** What a face tells of age and gender; null where that was not examined. */
export function demographicalInfoOf({ age, gender }: FaceAnalysis): DemographicalInfo | null {
  if (age === undefined || gender === undefined) return null
  return {
    age: ageRangeOf(age.prediction),
    gender: genderOf(gender),
    genderConfidence: gender.confidence,
  }
}

/** [Note: Ages are given in steps of ten] From 5 on, so that 25-34 is one of them; by the whole years that are over. */
export function ageRangeOf(prediction: number): string {
  const years = Math.floor(prediction)
  if (years < firstInYears) return `0-${firstInYears - 1}`
  const from = years - ((years - firstInYears) % widthInYears)
  return `${from}-${from + widthInYears - 1}`
}
