import type { Box, Pose } from '#models/rules/analysis.ts'
import { median } from '#models/rules/median.ts'

/** A picture's data, for small pictures and full-size frames alike. */
export interface FaceMoment {
  /** Milliseconds since the camera started. */
  readonly time: number
  /** 0...255 */
  readonly luminance: number
  /** In shares of the picture's width and height. */
  readonly box: Box
  readonly pose: Pose
  /** The picture's rim. Empty if it should not be compared. */
  readonly place: readonly number[]
}

/** The distance between two pictures. `shift` and `size` are in face widths. */
export interface Distance {
  /** In degrees, the larger of yaw and pitch. */
  readonly pose: number
  readonly roll: number
  readonly shift: number
  /** The natural logarithm of the ratio between the widths. */
  readonly size: number
  /** The natural logarithm of the ratio between the luminances. */
  readonly light: number
  /** The rim's median change in grey levels, after equalising the brightness. */
  readonly place: number
}

const signals = ['pose', 'roll', 'shift', 'size', 'light', 'place'] as const

export function distanceOf(a: FaceMoment, b: FaceMoment): Distance {
  const width = (a.box.width + b.box.width) / 2
  const height = (a.box.height + b.box.height) / 2
  const across = (centreOf(a.box).x - centreOf(b.box).x) / width
  const down = (centreOf(a.box).y - centreOf(b.box).y) / height
  return {
    pose: poseBetween(a.pose, b.pose),
    roll: Math.abs(a.pose.roll - b.pose.roll),
    shift: Math.hypot(across, down),
    size: ratioOf(a.box.width, b.box.width),
    light: ratioOf(Math.max(1, a.luminance), Math.max(1, b.luminance)),
    place: placeBetween(a.place, b.place),
  }
}

function poseBetween(a: Pose, b: Pose): number {
  return Math.max(Math.abs(a.yaw - b.yaw), Math.abs(a.pitch - b.pitch))
}

function centreOf({ x, y, width, height }: Box) {
  return { x: x + width / 2, y: y + height / 2 }
}

function ratioOf(a: number, b: number): number {
  return Math.abs(Math.log(a / b))
}

/** [Note: Exposure is no cut] When a camera adjusts its exposure, the whole picture's brightness changes, so this change is removed first. */
function placeBetween(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || a.length !== b.length) return 0
  const sum = (rim: readonly number[]) =>
    Math.max(
      1,
      rim.reduce((total, value) => total + value, 0),
    )
  const gain = sum(b) / sum(a)
  return median(a.map((value, i) => Math.abs(value * gain - b[i]!)))!
}

/**
 * The jump between pictures `at` and `at + 1` of a film, in the signal that jumps the most, relative to the largest jump of any living person.
 * Continuous movement is not a jump, so the larger of the distances just before and just after is subtracted.
 */
export function jumpAt(film: readonly FaceMoment[], at: number, limits: Distance): number {
  const between = distanceBetween(film, at)!
  const around = [distanceBetween(film, at - 1), distanceBetween(film, at + 1)].filter(
    (one) => one !== undefined,
  )
  const excess = (signal: keyof Distance) =>
    between[signal] - Math.max(0, ...around.map((one) => one[signal]))
  return Math.max(0, ...signals.map((signal) => excess(signal) / limits[signal]))
}

/** The pace at which the limits were measured: a sixth of a second between two pictures. */
const pace = 1000 / 6

/** [Note: Slow films] If the gap between two pictures is twice as long, the head can move twice as far, so distances are scaled to one pace. */
function distanceBetween(film: readonly FaceMoment[], at: number): Distance | undefined {
  const [a, b] = [film[at], film[at + 1]]
  if (a === undefined || b === undefined) return undefined
  const paces = Math.max(1, (b.time - a.time) / pace)
  const whole = distanceOf(a, b)
  return {
    pose: whole.pose / paces,
    roll: whole.roll / paces,
    shift: whole.shift / paces,
    size: whole.size / paces,
    light: whole.light / paces,
    place: whole.place / paces,
  }
}
