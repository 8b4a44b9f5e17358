import { matchScore } from '#models/rules/search-threshold.ts'
import { scoreOf } from '#models/rules/similarity.ts'
import { likenessOf, separated, type TemplateModels } from '#models/rules/templates.ts'

/** The face of the visit at which a passkey was bound. */
export interface BoundFace extends TemplateModels {
  /** Unit embedding: one, or two joined. */
  readonly embedding: readonly number[]
}

/** True if the person of a visit is the one who bound a passkey: a one-to-one comparison with the usual score. */
export function isOfBoundFace(portrait: readonly number[] | null, bound: BoundFace | undefined): boolean {
  if (portrait === null || bound === undefined) return false
  const { likeness, by } = likenessOf(separated(portrait, bound), separated(bound.embedding, bound), bound)
  return scoreOf(likeness, by) >= matchScore
}
