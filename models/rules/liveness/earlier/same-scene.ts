import type { Scene } from './visit.ts'

/** How far two scenes are apart. */
export interface SceneDistance {
  /** What differs between the rims when both are as bright, as a share of the weaker one's contrast, and of at least the least one. */
  readonly place: number
  /** Natural logarithm of the ratio of luminances, without its sign. */
  readonly light: number
  /** The weaker contrast of both rims, grey levels. */
  readonly contrast: number
}

/**
 * Up to these it is the same place in the same light, see docs/assurance.md: no two people's clips of 47 were that near, and the same
 * clip 3 % brighter or darker always was. An even wall looks like any other one: below this contrast nothing is said.
 */
export const sameSceneLimits = { place: 0.3, light: 0.1, weakestContrast: 8 } as const

/** Whether both were taken in the same place, in the same light, and there is something to know it by. */
export function isSameScene(a: Scene | null, b: Scene | null): boolean {
  const distance = sceneDistance(a, b)
  if (distance === undefined || distance.contrast < sameSceneLimits.weakestContrast) return false
  return distance.place <= sameSceneLimits.place && distance.light <= sameSceneLimits.light
}

/** Undefined where liveness was not looked at in one of both. */
export function sceneDistance(a: Scene | null, b: Scene | null): SceneDistance | undefined {
  if (a === null || b === null || a.rim.length !== b.rim.length || a.rim.length === 0) return undefined
  const gain = Math.max(1, mean(b.rim)) / Math.max(1, mean(a.rim))
  const off = Math.sqrt(mean(a.rim.map((value, i) => (value * gain - b.rim[i]!) ** 2)))
  const contrast = Math.min(contrastOf(a.rim), contrastOf(b.rim))
  const light = Math.abs(Math.log(Math.max(1, a.luminance) / Math.max(1, b.luminance)))
  return { place: off / Math.max(sameSceneLimits.weakestContrast, contrast), light, contrast }
}

function contrastOf(rim: readonly number[]): number {
  const average = mean(rim)
  return Math.sqrt(mean(rim.map((value) => (value - average) ** 2)))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
