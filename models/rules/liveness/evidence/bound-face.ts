import { matchScore } from '#models/rules/search-threshold.ts'
import { scoreOf } from '#models/rules/similarity.ts'
import { likenessOf, separated, type TemplateModels } from '#models/rules/templates.ts'

/** The face from the visit in which a passkey was bound. */
export interface BoundFace extends TemplateModels {
  /** A unit embedding, or two of them joined. */
  readonly embedding: readonly number[]
}

/** True if the visitor is the person who bound the passkey: a one-to-one comparison at the usual score. */
export function isOfBoundFace(portrait: readonly number[] | null, bound: BoundFace | undefined): boolean {
  if (portrait === null || bound === undefined) return false
  const { likeness, by } = likenessOf(separated(portrait, bound), separated(bound.embedding, bound), bound)
  return scoreOf(likeness, by) >= matchScore
}
