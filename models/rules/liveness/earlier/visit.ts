import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import { median } from '#models/rules/median.ts'
import type { Observation } from '#models/rules/observation.ts'

/** What is around the person, and in which light. */
export interface Scene {
  /** The rim of the pictures, see scene-signature.ts: whole numbers. */
  readonly rim: readonly number[]
  /** 0...255 */
  readonly luminance: number
}

/** What is kept of a visit, to compare later ones with: numbers, no picture. */
export interface Visit {
  /** Null where liveness was not looked at. */
  readonly scene: Scene | null
  /** Null where no face was good enough. */
  readonly face: BoundFace | null
}

/** What a visit is known by later on. The scene is that of the straight look, where there is one. */
export function visitOf(observations: readonly Observation[], face: BoundFace | null): Visit {
  const framed = observations.filter(({ rim }) => rim.length > 0)
  const straight = framed.filter(({ step }) => step === 0)
  return { scene: sceneOf(straight.length > 0 ? straight : framed), face }
}

/** The median of each place of the rim: who walks past in one picture changes nothing. */
function sceneOf(pictures: readonly Scene[]): Scene | null {
  const [first] = pictures
  if (first === undefined) return null
  return {
    rim: first.rim.map((_, i) => Math.round(median(pictures.map(({ rim }) => rim[i]!))!)),
    luminance: median(pictures.map(({ luminance }) => luminance))!,
  }
}
