import type { FaceAnalysis } from '#models/rules/analysis.ts'
import { point } from '#models/rules/face/mesh.ts'
import type { QualityComponents } from '#shared/contract/analysis/quality-components.ts'
import { component, sigmoid } from './curves.ts'
import { distancesOf } from './framing.ts'

type Posture = Pick<
  QualityComponents,
  'headPoseYaw' | 'headPosePitch' | 'headPoseRoll' | 'eyesOpen' | 'mouthClosed' | 'expressionNeutrality'
>

/**
 * Components of the posture of a face. Formulas of ISO/IEC 29794-5:2025 as its reference implementation OFIQ publishes
 * them, if it has one for what we observe; s(x, c, w): the logistic curve.
 *
 * - headPoseYaw, headPosePitch, headPoseRoll: the square of the cosine of the angle, degrees; 0 beyond a right angle.
 * - eyesOpen: 1 minus the greater probability that an eye is closed, by the eyes' network; null if it did not run.
 * - mouthClosed: 1 - s(x, 0.2, 0.06), x the distance of the inner lips over that from the eyes to the chin.
 * - expressionNeutrality: the probability of a neutral expression, by the expressions' network; null if it did not run.
 */
export function postureOf(face: FaceAnalysis): Posture {
  const { pose, eyesClosed, expressions, landmarks } = face
  const upper = point(landmarks, 13)
  const lower = point(landmarks, 14)
  const opening = Math.hypot(lower.x - upper.x, lower.y - upper.y) / distancesOf(face).eyesToChin
  return {
    headPoseYaw: facing(pose.yaw),
    headPosePitch: facing(pose.pitch),
    headPoseRoll: facing(pose.roll),
    eyesOpen: eyesClosed === undefined ? null : component(1 - Math.max(eyesClosed.left, eyesClosed.right)),
    mouthClosed: component(1 - sigmoid(opening, 0.2, 0.06)),
    expressionNeutrality: expressions === undefined ? null : component(expressions.neutral),
  }
}

function facing(degrees: number): number {
  return component(Math.max(0, Math.cos((degrees * Math.PI) / 180)) ** 2)
}
