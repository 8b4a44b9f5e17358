import type { HeadFit } from '../../models/rules/analysis.ts'
import type { Action } from '../../shared/contract/sessions/session.ts'
import type { Points } from './paint-mesh.ts'

/** The largest movements in degrees, well beyond the product's thresholds. */
const furthest = { turn: 30, up: 24 } as const

/** How far the head's rotation axis is behind the face, in units of the canonical face (about a centimetre). */
const axisBehind = 5

/** The state of a face during a movement. In the photograph, all values are 0. */
export interface Movement {
  /** In degrees. Positive values are towards the person's own left and up. */
  readonly yaw: number
  readonly pitch: number
  /** How far the person smiles or shuts their eyes, 0...1. */
  readonly smile: number
  readonly shut: number
  /** As a share of the face's size. */
  readonly size: number
}

export const atRest: Movement = { yaw: 0, pitch: 0, smile: 0, shut: 0, size: 1 }

/** The movement at a given share (0...1) of an action. */
export function movementFor(action: Action, share: number): Movement {
  const changes: Readonly<Record<Action, Partial<Movement>>> = {
    turnLeft: { yaw: furthest.turn * share },
    turnRight: { yaw: -furthest.turn * share },
    lookUp: { pitch: furthest.up * share },
    smile: { smile: share },
    blink: { shut: share },
    comeCloser: { size: 1 + 0.5 * share },
  }
  return { ...atRest, ...changes[action] }
}

/** A face's points after a movement. The expression is applied first, then the rotation about the head's own axes. */
export function moveFace(points: Points, fit: HeadFit, movement: Movement): Points {
  const expressed = expressing(points, movement)
  turnHead(expressed, fit, movement)
  return expressed
}

/** The points with only the expression applied. Points after the 468th are left unchanged. */
export function expressing(points: Points, { smile, shut }: Movement): Points {
  const expressed = Float32Array.from(points)
  if (smile !== 0) liftMouth(expressed, smile)
  if (shut !== 0) shutEyes(expressed, shut)
  return expressed
}

/** Turns by yaw, then by pitch, about the axes that the head has in the photograph. */
function turnHead(
  points: Points,
  { centre, scale, rotation: r }: HeadFit,
  { yaw, pitch, size }: Movement,
): void {
  const [sinYaw, cosYaw] = sineAndCosine(yaw)
  const [sinPitch, cosPitch] = sineAndCosine(pitch)
  const behind = axisBehind * scale
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i]! - centre.x
    const y = -(points[i + 1]! - centre.y)
    const z = -(points[i + 2]! - centre.z)
    const across = r[0]! * x + r[3]! * y + r[6]! * z
    const along = r[1]! * x + r[4]! * y + r[7]! * z
    const ahead = r[2]! * x + r[5]! * y + r[8]! * z + behind
    const nodded = along * cosPitch + ahead * sinPitch
    const deep = -along * sinPitch + ahead * cosPitch
    const turned = across * cosYaw + deep * sinYaw
    const front = -across * sinYaw + deep * cosYaw - behind
    points[i] = centre.x + size * (r[0]! * turned + r[1]! * nodded + r[2]! * front)
    points[i + 1] = centre.y - size * (r[3]! * turned + r[4]! * nodded + r[5]! * front)
    points[i + 2] = centre.z - size * (r[6]! * turned + r[7]! * nodded + r[8]! * front)
  }
}

export function sineAndCosine(degrees: number): readonly [number, number] {
  const angle = (degrees * Math.PI) / 180
  return [Math.sin(angle), Math.cos(angle)]
}

const rightCorner = 61
const leftCorner = 291
const rightCheek = 50
const leftCheek = 280

/** Pulls the corners of the mouth apart and up, along with the cheeks. In shares of the mouth's width. */
function liftMouth(points: Points, share: number): void {
  const width = Math.hypot(
    points[3 * leftCorner]! - points[3 * rightCorner]!,
    points[3 * leftCorner + 1]! - points[3 * rightCorner + 1]!,
  )
  const rest = Float32Array.from(points)
  const pulls = [
    { at: rightCorner, x: -0.16, y: -0.17, reach: 0.38 },
    { at: leftCorner, x: 0.16, y: -0.17, reach: 0.38 },
    { at: rightCheek, x: -0.02, y: -0.05, reach: 0.4 },
    { at: leftCheek, x: 0.02, y: -0.05, reach: 0.4 },
  ]
  for (const { at, x, y, reach } of pulls) {
    for (let i = 0; i < points.length; i += 3) {
      const far = Math.hypot(rest[i]! - rest[3 * at]!, rest[i + 1]! - rest[3 * at + 1]!) / (reach * width)
      const weight = share * width * Math.exp(-0.5 * far * far)
      points[i] = points[i]! + x * weight
      points[i + 1] = points[i + 1]! + y * weight
    }
  }
}

/** Each point on an upper eyelid, paired with the point below it on the lower eyelid. */
const lids: readonly (readonly [upper: number, lower: number])[] = [
  ...([
    [246, 7],
    [161, 163],
    [160, 144],
    [159, 145],
    [158, 153],
    [157, 154],
    [173, 155],
  ] as const),
  ...([
    [466, 249],
    [388, 390],
    [387, 373],
    [386, 374],
    [385, 380],
    [384, 381],
    [398, 382],
  ] as const),
]

/** The eyelid points of both eyes. */
export const eyePoints: readonly number[] = lids.flat()

/** Lowers the upper eyelids onto the lower ones, leaving a slit. */
function shutEyes(points: Points, share: number): void {
  for (const [upper, lower] of lids) {
    for (const axis of [0, 1]) {
      const top = points[3 * upper + axis]!
      points[3 * upper + axis] = top + 0.92 * share * (points[3 * lower + axis]! - top)
    }
  }
}
