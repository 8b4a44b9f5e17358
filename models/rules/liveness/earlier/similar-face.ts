import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import { searchThreshold } from '#models/rules/search-threshold.ts'
import { scoreOf } from '#models/rules/similarity.ts'
import { likenessOf, separated } from '#models/rules/templates.ts'

/**
 * True if two faces belong to the same person, given the number of faces that were searched (`among`).
 * [Note: A threshold per comparison is not one per search]
 */
export function isSimilarFace(face: BoundFace, other: BoundFace, among: number): boolean {
  if (face.embeddingModel !== other.embeddingModel) return false
  const { likeness, by } = likenessOf(
    separated(face.embedding, face),
    separated(other.embedding, other),
    other,
  )
  return scoreOf(likeness, by) >= searchThreshold(among, by).score
}
