import type { FaceAnalysis, LiveProbabilities, Pose } from './analysis.ts'
import { median } from './median.ts'

/** The part of a face analysis that decides whether a frame is fair. */
export type FrameFace = Pick<FaceAnalysis, 'pose' | 'quality' | 'box'> & NoiseMeasure

/** The liveness stage's measurements apart from its answer, if it ran. */
type NoiseMeasure = { readonly live?: Pick<LiveProbabilities, 'noise'> | null }

/**
 * A frame is fair to a face if it is close to the person's own straight look (in degrees), sharp and large enough, and has limited noise in the
 * liveness crop (in grey levels, see noise.ts).
 *
 * [Note: Too much noise is asked for again] With more noise than this, prints and screens pass that the network rejects in clean pictures. As
 * recorded, no living person in any data set had more than 1.1.
 */
export const fairLimits = {
  yawDegrees: 10,
  pitchDegrees: 9,
  sharpness: 5,
  faceWidthInPixels: 80,
  noise: 2.2,
} as const

/**
 * A face at rest looks at the camera. A frame that is further from straight does not show this, and coming back from there would count as a turn.
 */
const straightYawDegrees = 14

export function isStraight({ yaw }: Pick<Pose, 'yaw'>): boolean {
  return Math.abs(yaw) <= straightYawDegrees
}

/** The pose in which the person looks at the camera: the median over the nearly straight frames, or undefined if there are none. */
export function straightPose(
  faces: readonly Pick<FrameFace, 'pose'>[],
): Pick<Pose, 'yaw' | 'pitch'> | undefined {
  const straight = faces.map(({ pose }) => pose).filter(isStraight)
  const yaw = median(straight.map(({ yaw }) => yaw))
  const pitch = median(straight.map(({ pitch }) => pitch))
  return yaw === undefined || pitch === undefined ? undefined : { yaw, pitch }
}

/**
 * True if a frame counts. [Note: Liveness is judged on frontal frames] The network was trained on frontal faces, and gives living people's turned
 * heads low scores. Turns are judged by geometry and identity instead.
 */
export function isFair(face: FrameFace, straight: Pick<Pose, 'yaw' | 'pitch'>): boolean {
  return (
    !isTurned(face, straight) &&
    face.quality.sharpness >= fairLimits.sharpness &&
    face.box.width >= fairLimits.faceWidthInPixels &&
    !isNoisy(face)
  )
}

/** True if there is too much noise to tell a living face from a picture of one. */
export function isNoisy({ live }: NoiseMeasure): boolean {
  return (live?.noise ?? 0) > fairLimits.noise
}

/** True if the head is turned too far from the straight pose for a fair comparison or a fair picture. */
export function isTurned({ pose }: Pick<FrameFace, 'pose'>, straight: Pick<Pose, 'yaw' | 'pitch'>): boolean {
  return (
    Math.abs(pose.yaw - straight.yaw) > fairLimits.yawDegrees ||
    Math.abs(pose.pitch - straight.pitch) > fairLimits.pitchDegrees
  )
}
