import type { Analysis } from '#models/rules/analysis.ts'
import { actionLimits, backShare } from './action-limits.ts'
import { headMovements, type Movement } from './movement.ts'
import { type Rest, sampleOf } from './rest.ts'

/** How strong each movement is. At 1, it counts as done. */
export type Strengths = Readonly<Record<Movement, number>>

/**
 * The strengths of an analysis relative to the face at rest, or undefined if there is no face. Based on the light analysis that a device makes of
 * its own camera's pictures, without checking flatness or identity.
 */
export function strengthsOf(analysis: Analysis, rest: Rest): Strengths | undefined {
  const sample = sampleOf(analysis)
  if (sample === undefined) return undefined
  const { turnDegrees, upDegrees, downDegrees, smileRise, happy, eyesClosed, closer } = actionLimits
  const turn = (sample.yaw - rest.yaw) / turnDegrees
  const pitch = sample.pitch - rest.pitch
  const eyes = analysis.face?.eyesClosed
  const smile = (sample.smile - rest.smile) / smileRise.asked
  return {
    turnLeft: Math.max(0, turn),
    turnRight: Math.max(0, -turn),
    lookUp: Math.max(0, pitch / upDegrees),
    lookDown: Math.max(0, -pitch / downDegrees),
    smile: Math.max(0, smile, rest.happy < happy.asked / 2 ? sample.happy / happy.asked : 0),
    blink: eyes === undefined ? 0 : Math.min(eyes.left, eyes.right) / eyesClosed.asked,
    comeCloser: Math.max(0, (sample.size / rest.size - 1) / (closer.asked - 1)),
  }
}

/** The strongest head movement, ignoring the excused one. */
export function strongestOfHead(strengths: Strengths, excused: Movement | null = null): number {
  const counted = headMovements.filter((movement) => movement !== excused)
  return Math.max(...counted.map((movement) => strengths[movement]))
}

/** True if the head is almost back at rest. */
export function isBack(strengths: Strengths): boolean {
  return strongestOfHead(strengths) < backShare
}
