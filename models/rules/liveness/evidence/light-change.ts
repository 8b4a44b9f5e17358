import { median } from '#models/rules/median.ts'
import type { Surface } from './surface.ts'

/** The change of light on a face between two pictures of one request. */
export interface LightChange {
  /** Median absolute deviation of the logarithms of the luminance ratios, point by point. */
  readonly deviation: number
  /** Number of points whose skin is visible in both. */
  readonly places: number
}

/**
 * Light stays in place while heads turn under it, so each point of the skin becomes lighter or darker by a different
 * factor. In a picture that is moved, the light moves along, and all points change alike.
 */
export function lightChange(a: Surface, b: Surface): LightChange {
  const ratios: number[] = []
  for (const [i, before] of a.skin.entries()) {
    const after = b.skin[i]!
    if (!Number.isNaN(before) && !Number.isNaN(after)) ratios.push(after - before)
  }
  const typical = median(ratios) ?? 0
  const deviation = median(ratios.map((ratio) => Math.abs(ratio - typical))) ?? 0
  return { deviation, places: ratios.length }
}
