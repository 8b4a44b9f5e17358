import { overlap } from '../../../models/picture/geometry.ts'
import type { Box, DetectedFace } from '../../../models/rules/analysis.ts'

/**
 * How many labelled boxes were found. Starting with the most certain one, each detected face takes the free box that it overlaps most, if their
 * intersection over union is at least `least`.
 */
export function countMatches(
  found: readonly DetectedFace[],
  labelled: readonly Box[],
  least: number,
): number {
  const free = new Set(labelled)
  for (const { box } of [...found].sort((a, b) => b.confidence - a.confidence)) {
    const best = bestOf(box, free)
    if (best !== undefined && overlap(box, best) >= least) free.delete(best)
  }
  return labelled.length - free.size
}

function bestOf(box: Box, among: Iterable<Box>): Box | undefined {
  let best: Box | undefined
  for (const one of among) if (best === undefined || overlap(box, one) > overlap(box, best)) best = one
  return best
}
