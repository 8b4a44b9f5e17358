import { median } from '#models/rules/median.ts'
import type { Surface } from './surface.ts'

/** How the light on a face changed between two pictures of one request. */
export interface LightChange {
  /** Median absolute deviation of the logarithms of the ratios of luminance, place by place. */
  readonly deviation: number
  /** At how many places the skin is seen in both. */
  readonly places: number
}

/**
 * Light stays where it is, heads turn under it: each place of the skin grows lighter or darker by another share. A
 * picture whose face was moved carries its light along, so that all places change alike.
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
