import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import { median } from '#models/rules/median.ts'
import type { Observation } from '#models/rules/observation.ts'

/** What is around the person, and in which light. */
export interface Scene {
  /** The rim of the pictures, see print.ts: whole numbers. */
  readonly rim: readonly number[]
  /** 0...255 */
  readonly luminance: number
}

/** A picture of the film with a face in it. */
export interface Moment {
  /** Milliseconds since the camera started: the device's word. */
  readonly time: number
  /** The middle of the face and its width, in shares of the picture's width and height. */
  readonly x: number
  readonly y: number
  readonly width: number
  /** Degrees. */
  readonly yaw: number
  readonly pitch: number
  readonly roll: number
}

/** What is kept of a visit, to compare later ones with: numbers, no picture. */
export interface Visit {
  /** Null where liveness was not looked at. */
  readonly scene: Scene | null
  /** Empty where no film was sent. */
  readonly film: readonly Moment[]
  /** Null where no face was good enough. */
  readonly face: BoundFace | null
}

/** What a visit is known by later on. The scene is that of the straight look, where there is one. */
export function visitOf(
  observations: readonly Observation[],
  trail: readonly TrailPoint[],
  face: BoundFace | null,
): Visit {
  const framed = observations.filter(({ rim }) => rim.length > 0)
  const straight = framed.filter(({ step }) => step === 0)
  return { scene: sceneOf(straight.length > 0 ? straight : framed), film: momentsOf(trail), face }
}

/** The median of each place of the rim: who walks past in one picture changes nothing. */
export function sceneOf(pictures: readonly Scene[]): Scene | null {
  const [first] = pictures
  if (first === undefined) return null
  return {
    rim: first.rim.map((_, i) => Math.round(median(pictures.map(({ rim }) => rim[i]!))!)),
    luminance: median(pictures.map(({ luminance }) => luminance))!,
  }
}

export function momentsOf(trail: readonly TrailPoint[]): Moment[] {
  return trail.flatMap(({ time, face }) => {
    if (face === null) return []
    const { x, y, width, height } = face.box
    return [{ time, x: x + width / 2, y: y + height / 2, width, ...face.pose }]
  })
}
