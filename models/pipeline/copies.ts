import type { AnalysisStages } from '#models/rules/analysis.ts'

/**
 * Pixels: a narrower face in a copy is described from the whole picture. At this width no network that reads a face gets
 * an enlarged crop. The most demanding is the second network for age, with 224 pixels across 1.4 faces.
 */
export const leastFaceInCopy = 160

/**
 * Returns true if a smaller copy of a large picture gives the same answer. JPEG blocks, the light around a head and the
 * scene signature are read from individual pixels, which a copy lacks.
 */
export function takesCopy({ appearance, surface, sceneSignature }: AnalysisStages): boolean {
  return !(appearance || surface || sceneSignature)
}
