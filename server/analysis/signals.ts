import type { Expressions, FaceAnalysis } from '#models/analysis.ts'
import type { detectEmotionAttention } from '#shared/contract/emotion-attention.ts'
import type { ResultOf } from '#shared/endpoint.ts'

export type Signals = ResultOf<typeof detectEmotionAttention>['emotionsAttention']

/** [Note: What one picture does not tell] is null: nothing here reads these, and a guess would look like knowledge. */
const untold = { confusion: null, contempt: null, empathy: null } as const

export const noSignals: Signals = {
  hasFace: false,
  presence: null,
  eyesOnScreen: null,
  attention: null,
  ...untold,
  disgust: null,
  happy: null,
  surprise: null,
}

/** What can be told of a face: yes, no, or null in between and where the view is poor. */
export function signalsOf(face: FaceAnalysis): Signals {
  const eyesOnScreen = face.box.width >= narrowestForEyes ? eyesOnScreenOf(face) : null
  const isGood = isGoodView(face)
  const shows = (name: keyof Expressions, limits: Limits) =>
    isGood && face.expressions !== undefined ? decide(face.expressions[name], limits) : null
  return {
    hasFace: true,
    presence: true,
    eyesOnScreen,
    attention: eyesOnScreen === true && !isGood ? null : eyesOnScreen,
    ...untold,
    disgust: shows('disgusted', expressionLimits.disgust),
    happy: shows('happy', expressionLimits.happy),
    surprise: shows('surprised', expressionLimits.surprise),
  }
}

/** Yes at or above `yes`, no at or below `no`. */
interface Limits {
  readonly yes: number
  readonly no: number
}

/** Measured on posed and on found faces: see the model's card. */
const expressionLimits = {
  happy: { yes: 0.7, no: 0.3 },
  surprise: { yes: 0.8, no: 0.3 },
  disgust: { yes: 0.8, no: 0.1 },
} as const

/** Degrees and probabilities. */
const eyes = { yaw: { on: 20, off: 30 }, pitch: { on: 15, off: 25 }, closed: { on: 0.3, off: 0.7 } } as const
const good = { presence: 0.9, width: 40, yaw: 40, pitch: 30 } as const
/** Pixels: below, lids are a few pixels high. */
const narrowestForEyes = 48

function decide(value: number, { yes, no }: Limits): boolean | null {
  if (value >= yes) return true
  return value <= no ? false : null
}

/** By the pose of the head and the lids; the direction of the gaze itself is not read. One open eye is enough. */
function eyesOnScreenOf({ pose, eyesClosed }: FaceAnalysis): boolean | null {
  if (eyesClosed === undefined) return null
  const yaw = Math.abs(pose.yaw)
  const pitch = Math.abs(pose.pitch)
  const closed = Math.min(eyesClosed.left, eyesClosed.right)
  if (yaw >= eyes.yaw.off || pitch >= eyes.pitch.off || closed >= eyes.closed.off) return false
  const on = yaw <= eyes.yaw.on && pitch <= eyes.pitch.on && closed <= eyes.closed.on
  return on ? true : null
}

/** Whether points and expressions can be trusted: a certain face, large enough, and not turned far. */
export function isGoodView(face: FaceAnalysis): boolean {
  const { presence, pose, box } = face
  const isTurned = Math.abs(pose.yaw) > good.yaw || Math.abs(pose.pitch) > good.pitch
  return presence >= good.presence && box.width >= good.width && !isTurned
}
