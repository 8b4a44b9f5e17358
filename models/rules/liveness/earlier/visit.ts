import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import { median } from '#models/rules/median.ts'
import type { Observation } from '#models/rules/observation.ts'

/** The person's surroundings and the lighting. */
export interface Scene {
  /** The rim of the pictures as integers. See scene-signature.ts. */
  readonly rim: readonly number[]
  /** 0...255 */
  readonly luminance: number
}

/** The data stored about a visit for comparison with later ones: only numbers, no picture. */
export interface Visit {
  /** Null if liveness was not analysed. */
  readonly scene: Scene | null
  /** Null if no face was good enough. */
  readonly face: BoundFace | null
}

/** Extracts the data used to recognise a visit later. The scene comes from the straight look, if there is one. */
export function visitOf(observations: readonly Observation[], face: BoundFace | null): Visit {
  const framed = observations.filter(({ rim }) => rim.length > 0)
  const straight = framed.filter(({ step }) => step === 0)
  return { scene: sceneOf(straight.length > 0 ? straight : framed), face }
}

/** Takes the median for each cell of the rim, so that someone passing by in one picture has no effect. */
function sceneOf(pictures: readonly Scene[]): Scene | null {
  const [first] = pictures
  if (first === undefined) return null
  return {
    rim: first.rim.map((_, i) => Math.round(median(pictures.map(({ rim }) => rim[i]!))!)),
    luminance: median(pictures.map(({ luminance }) => luminance))!,
  }
}
