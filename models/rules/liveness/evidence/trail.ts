import type { Analysis, Box, FaceAnalysis, Pose } from '#models/rules/analysis.ts'
import { rimOf } from '#models/rules/liveness/print.ts'

/** What the server's own analysis found in one small picture of the trail. No picture is in it. */
export interface TrailPoint {
  /** Milliseconds since the camera started: the device's word, a hint. */
  readonly time: number
  /** The server's clock, milliseconds since 1970. */
  readonly receivedAt: number
  /** Of the whole picture, 0...255. */
  readonly luminance: number
  /** The box in shares of the picture's width and height: small pictures and frames are compared. */
  readonly face: { readonly box: Box; readonly pose: Pose } | null
  /** The rim of the picture, see print.ts; whole numbers. */
  readonly place: readonly number[]
}

/** When a picture of the trail was taken and came. */
export type TrailMoment = Pick<TrailPoint, 'time' | 'receivedAt'>

/** What is kept of a picture of the trail: some sixty numbers. */
export function trailPointOf(analysis: Analysis, { time, receivedAt }: TrailMoment): TrailPoint {
  const { luminance, face, print } = analysis
  return {
    time,
    receivedAt,
    luminance: rounded(luminance, 1),
    face: face === undefined ? null : faceOf(face, analysis),
    place: print === undefined ? [] : rimOf(print).map(Math.round),
  }
}

function faceOf({ box, pose }: Pick<FaceAnalysis, 'box' | 'pose'>, size: Pick<Analysis, 'width' | 'height'>) {
  const { yaw, pitch, roll } = pose
  return {
    box: shareOf(box, size),
    pose: { yaw: rounded(yaw, 1), pitch: rounded(pitch, 1), roll: rounded(roll, 1) },
  }
}

/** A box in shares of a picture's width and height. */
export function shareOf({ x, y, width, height }: Box, size: { width: number; height: number }): Box {
  return {
    x: rounded(x / size.width, 4),
    y: rounded(y / size.height, 4),
    width: rounded(width / size.width, 4),
    height: rounded(height / size.height, 4),
  }
}

function rounded(value: number, digits: number): number {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}
