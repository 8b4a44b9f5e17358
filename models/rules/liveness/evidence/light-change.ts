import { median } from '#models/rules/median.ts'
import type { Surface } from '../../analysis.ts'

/** How the light on a face changes between two pictures of the same request. */
export interface LightChange {
  /** The median absolute deviation of the logarithms of the point-by-point luminance ratios. */
  readonly deviation: number
  /** The number of points with skin that is visible in both pictures. */
  readonly places: number
}

/**
 * The light stays in place while the head turns under it, so each point on the skin gets lighter or darker by a different factor. If a flat
 * picture is moved, its light moves along with it, and all points change alike.
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
