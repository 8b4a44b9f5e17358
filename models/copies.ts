import type { Wanted } from './rules/analysis.ts'

/**
 * A face that is narrower in a smaller copy of a picture is described from the whole picture. At this width each network that reads a face is
 * fed at least one pixel for each of its own: the closest is the second network for age, with 224 pixels across 1.4 faces.
 */
export const leastFaceInCopy = 160

/**
 * Whether a smaller copy of a large picture answers what is wanted as the picture itself would. Blocks of a JPEG, the light about a head and
 * what one picture is recognised by are read from its own pixels.
 */
export function takesCopy({ appearance, surface, sceneSignature }: Wanted): boolean {
  return !(appearance || surface || sceneSignature)
}
