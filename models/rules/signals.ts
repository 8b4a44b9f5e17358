import calibrated from '../calibration/flags.json' with { type: 'json' }
import type { AnalysisStages, Expressions, FaceAnalysis } from './analysis.ts'

/** The API's flags: true, false, or null if the picture does not show it reliably. */
export interface Signals {
  readonly hasFace: boolean
  readonly presence: boolean | null
  readonly eyesOnScreen: boolean | null
  readonly attention: boolean | null
  readonly confusion: boolean | null
  readonly contempt: boolean | null
  readonly disgust: boolean | null
  readonly happy: boolean | null
  readonly empathy: boolean | null
  readonly surprise: boolean | null
}

/** The stages required for the flags. */
export const wantedForSignals = {
  group: 'otherwise',
  expression: 'full',
  eyes: true,
} as const satisfies AnalysisStages

/**
 * [Note: What one picture does not tell] Null, because a guess would look like knowledge. There are neither networks nor
 * labels for confusion and empathy. Contempt was tried: a corner of the mouth that is higher by 0.02 of the distance of
 * the eyes finds 8 of CK+'s 18 pictures, but also 207 of FER2013's 573 neutral ones, which are lopsided too.
 */
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

/** The flags that are derived from an expression. */
export const expressionOfFlag = {
  happy: 'happy',
  surprise: 'surprised',
  disgust: 'disgusted',
} as const satisfies Partial<Record<keyof Signals, keyof Expressions>>

export type ExpressionFlag = keyof typeof expressionOfFlag
export const expressionFlags = Object.keys(expressionOfFlag) as ExpressionFlag[]

/** The flags for a face, or for a picture without one. */
export function signalsOf(face: FaceAnalysis | undefined): Signals {
  if (face === undefined) return noSignals
  const isGood = isGoodView(face)
  const eyesOnScreen = eyesOnScreenOf(face)
  const shows = (flag: ExpressionFlag) =>
    isGood && face.expressions !== undefined
      ? decide(face.expressions[expressionOfFlag[flag]], limits[flag])
      : null
  return {
    hasFace: true,
    presence: true,
    eyesOnScreen,
    attention: eyesOnScreen === true && !isGood ? null : eyesOnScreen,
    ...untold,
    disgust: shows('disgust'),
    happy: shows('happy'),
    surprise: shows('surprise'),
  }
}

/** True at or above `yes`, and false at or below `no`. Null means never, because no threshold is reliable. */
export interface Limits {
  readonly yes: number | null
  readonly no: number | null
}

/** Written by `npm run calibrate -- flags`, together with the data in face-expression's card. */
const limits: Readonly<Record<ExpressionFlag, Limits>> = calibrated

export function decide(value: number, { yes, no }: Limits): boolean | null {
  if (yes !== null && value >= yes) return true
  return no !== null && value <= no ? false : null
}

/** Degrees, the probability that the more open eye is closed, and the height over width of the eyes' contours. */
const eyes = {
  yaw: { on: 15, off: 25 },
  pitch: { on: 15, off: 25 },
  closed: { on: 0.3, off: 0.7 },
  openness: { on: 0.15, off: 0.2 },
} as const
/** In pixels. In narrower faces, the eyelids are only a few pixels high. */
const narrowestForEyes = 48

/**
 * Derived from the head pose and the eyelids. The gaze direction itself is not measured. One open eye is enough. The eyelid network mistakes narrow
 * and dark eyes for closed ones, so it only counts if the mesh does not contradict it.
 */
function eyesOnScreenOf({ pose, box, eyesClosed, eyeOpenness }: FaceAnalysis): boolean | null {
  if (eyesClosed === undefined || box.width < narrowestForEyes) return null
  const yaw = Math.abs(pose.yaw)
  const pitch = Math.abs(pose.pitch)
  const closed = Math.min(eyesClosed.left, eyesClosed.right)
  if (yaw >= eyes.yaw.off || pitch >= eyes.pitch.off) return false
  if (closed >= eyes.closed.off && eyeOpenness <= eyes.openness.off) return false
  const isStraight = yaw <= eyes.yaw.on && pitch <= eyes.pitch.on
  const isOpen = closed <= eyes.closed.on && eyeOpenness >= eyes.openness.on
  return isStraight && isOpen ? true : null
}

const good = { presence: 0.9, width: 40, yaw: 40, pitch: 30, roll: 45 } as const

/** True if points and expressions can be trusted, because the face is certain, large enough, upright, and not turned too far. */
export function isGoodView(face: FaceAnalysis): boolean {
  const { presence, pose, box } = face
  const isTurned = Math.abs(pose.yaw) > good.yaw || Math.abs(pose.pitch) > good.pitch
  const isUpright = Math.abs(pose.roll) <= good.roll
  return presence >= good.presence && box.width >= good.width && isUpright && !isTurned
}
