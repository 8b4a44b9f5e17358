import type { Analysis } from '#workers/api.ts'
import { placeOf } from './face-measure.ts'
import { thresholds } from './thresholds.ts'

/** What actions are measured on, of one analysis. */
export interface Sample {
  readonly yaw: number
  readonly pitch: number
  readonly size: number
  readonly smile: number
  readonly happy: number
}

/** The same at rest: the median of the hold. */
export type Neutral = Sample

export const levelNeutral: Neutral = { yaw: 0, pitch: 0, size: 0.36, smile: 0.5, happy: 0 }

/** The sample of an analysis, or undefined without a face. */
export function sampleOf(analysis: Analysis): Sample | undefined {
  const { face } = analysis
  if (face === undefined) return undefined
  return {
    yaw: face.pose.yaw,
    pitch: face.pose.pitch,
    size: placeOf(analysis, face).size,
    smile: face.smile ?? levelNeutral.smile,
    happy: face.expressions?.happy ?? 0,
  }
}

/** The median of the samples in each measure; level where there are none. */
export function neutralOf(samples: readonly Sample[]): Neutral {
  if (samples.length === 0) return levelNeutral
  const median = (pick: (sample: Sample) => number) => {
    const sorted = samples.map(pick).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)]!
  }
  return {
    yaw: median((s) => s.yaw),
    pitch: median((s) => s.pitch),
    size: median((s) => s.size),
    smile: median((s) => s.smile),
    happy: median((s) => s.happy),
  }
}

/** Whether the head has moved as far as an action would. */
export function isMovement(sample: Sample, neutral: Neutral): boolean {
  const { turn, lookUp, lookDown } = thresholds.action
  const pitch = sample.pitch - neutral.pitch
  return Math.abs(sample.yaw - neutral.yaw) > turn || pitch > lookUp || pitch < -lookDown
}
