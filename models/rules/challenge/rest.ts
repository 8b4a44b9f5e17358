import type { Analysis } from '#models/rules/analysis.ts'
import { median } from '#models/rules/median.ts'
import { actionLimits } from './action-limits.ts'

/** The measures of an analysis that a device uses to recognise actions. */
export interface Sample {
  readonly yaw: number
  readonly pitch: number
  /** The face's width relative to the shorter side of the picture. */
  readonly size: number
  readonly smile: number
  readonly happy: number
}

/** The same measures at rest. */
export type Rest = Sample

/** The measures to assume if none were taken. */
export const levelRest: Rest = { yaw: 0, pitch: 0, size: 0.36, smile: 0.5, happy: 0 }

/** Extracts the sample from an analysis, or undefined if there is no face. */
export function sampleOf({ face, width, height }: Analysis): Sample | undefined {
  if (face === undefined) return undefined
  return {
    yaw: face.pose.yaw,
    pitch: face.pose.pitch,
    size: face.box.width / Math.min(width, height),
    smile: face.smile ?? levelRest.smile,
    happy: face.expressions?.happy ?? 0,
  }
}

/** The median of each measure over the samples, or the default if there are none. */
export function restOf(samples: readonly Sample[]): Rest {
  const typical = (name: keyof Sample) => median(samples.map((sample) => sample[name])) ?? levelRest[name]
  return {
    yaw: typical('yaw'),
    pitch: typical('pitch'),
    size: typical('size'),
    smile: typical('smile'),
    happy: typical('happy'),
  }
}

/** True if the head has moved as far as an action requires. */
export function isMovement(sample: Sample, rest: Rest): boolean {
  const { turnDegrees, upDegrees, downDegrees } = actionLimits
  const pitch = sample.pitch - rest.pitch
  return Math.abs(sample.yaw - rest.yaw) > turnDegrees || pitch > upDegrees || pitch < -downDegrees
}
