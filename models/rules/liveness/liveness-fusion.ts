import type { FaceAnalysis, Pose } from '#models/rules/analysis.ts'
import calibration from '../../calibration/liveness.json' with { type: 'json' }
import { liveScore } from './live-score.ts'

/** What the fusion reads of a face in one frame of a recording. */
export type FrameFace = Pick<FaceAnalysis, 'pose' | 'quality' | 'box'>

/** Where a frame is fit to judge a face by: near the person's own straight look (degrees), sharp and large enough. */
export const fairLimits = { yawDegrees: 10, pitchDegrees: 9, sharpness: 5, faceWidthInPixels: 80 } as const

/** Further from straight than this, a frame does not tell how the person looks at the camera. */
const straightYawDegrees = 14

/** The pose in which the person looks at the camera: the median of the nearly straight frames; undefined without one. */
export function straightPose(
  faces: readonly Pick<FrameFace, 'pose'>[],
): Pick<Pose, 'yaw' | 'pitch'> | undefined {
  const straight = faces.map(({ pose }) => pose).filter(({ yaw }) => Math.abs(yaw) <= straightYawDegrees)
  if (straight.length === 0) return undefined
  return { yaw: median(straight.map(({ yaw }) => yaw)), pitch: median(straight.map(({ pitch }) => pitch)) }
}

/**
 * Whether a frame counts. [Note: Liveness is judged on frontal frames] The network was made for them: turned heads of
 * living people score low.
 */
export function isFair({ pose, quality, box }: FrameFace, straight: Pick<Pose, 'yaw' | 'pitch'>): boolean {
  return (
    Math.abs(pose.yaw - straight.yaw) <= fairLimits.yawDegrees &&
    Math.abs(pose.pitch - straight.pitch) <= fairLimits.pitchDegrees &&
    quality.sharpness >= fairLimits.sharpness &&
    box.width >= fairLimits.faceWidthInPixels
  )
}

/** The live score of one frame of several, 0...1: without the nearer crop, which only a picture that is judged alone has. */
export function frameScore({ live, quality }: Pick<FaceAnalysis, 'live' | 'quality'>): number {
  if (live === undefined) return 0
  const { near, ...wide } = live
  return liveScore(wide, quality.sharpness)
}

/**
 * One score for a recording, 0...1, from the live scores of its fair frames: the lower of their mean and their median, so that neither a
 * lucky frame of a replay nor half of them is enough. Undefined where there is none.
 */
export function fuseLiveness(scores: readonly number[]): number | undefined {
  if (scores.length === 0) return undefined
  return Math.min(scores.reduce((sum, score) => sum + score, 0) / scores.length, median(scores))
}

/** From here a recording's score is that of a living person: see the network's card. */
export const clipIsLiveFrom = calibration.clip

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
