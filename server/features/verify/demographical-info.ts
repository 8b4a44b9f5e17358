import type { FaceAnalysis } from '#models/rules/analysis.ts'
import { genderOf } from '#models/rules/gender.ts'

export interface DemographicalInfo {
  readonly age: string
  readonly gender: 'Male' | 'Female'
  /** The measured probability that the answer is correct, from 0.5 to 1; lower for children. */
  readonly genderConfidence: number
}

const widthInYears = 10
const firstInYears = 5

/** A face's age and gender; null if they were not analysed. */
export function demographicalInfoOf({ age, gender }: FaceAnalysis): DemographicalInfo | null {
  if (age === undefined || gender === undefined) return null
  return {
    age: ageRangeOf(age.prediction),
    gender: genderOf(gender),
    genderConfidence: gender.confidence,
  }
}

/** [Note: Ages are given in steps of ten] Ranges start at 5, so that 25-34 is one of them, and use completed years. */
export function ageRangeOf(prediction: number): string {
  const years = Math.floor(prediction)
  if (years < firstInYears) return `0-${firstInYears - 1}`
  const from = years - ((years - firstInYears) % widthInYears)
  return `${from}-${from + widthInYears - 1}`
}
