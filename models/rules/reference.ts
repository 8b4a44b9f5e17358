import type { VerifierResult } from '#shared/contract/sessions/session.ts'
import { embeddingLengths } from './embedding.ts'
import type { BoundFace } from './liveness/evidence/bound-face.ts'
import { scoreOf, wholeScore } from './similarity.ts'
import { likenessOf, separated, type TemplateModels } from './templates.ts'

/** Decides whether a person fails who is not the one in the reference picture. `threshold` is a similarity from 0 to 100. */
export type ReferenceRule =
  | { readonly type: 'CalculationOnly' }
  | { readonly type: 'Verification'; readonly threshold: number }

/** The result of comparing the face with a reference picture. */
export interface ReferenceOutcome {
  /** NotExecuted if the comparison is not decisive, or no face was good enough. */
  readonly result: VerifierResult
  /** An integer from -1 to 100, rounded down. Null if nothing was compared. */
  readonly similarity: number | null
}

/**
 * Compares the face of a visit with that of the caller's picture. [Note: No comparison, no pass] Under Verification a
 * face that cannot be compared fails, because the picture is missing or its embedding is of a model that is no longer in
 * use.
 * @param portrait of the visit; null if no face was good enough, which is a separate reason
 */
export function referenceOutcome(
  rule: ReferenceRule,
  portrait: readonly number[] | null,
  reference: BoundFace | undefined,
): ReferenceOutcome {
  if (portrait === null) return { result: 'NotExecuted', similarity: null }
  const similarity = reference === undefined ? null : similarityTo(reference, portrait)
  if (rule.type === 'CalculationOnly') return { result: 'NotExecuted', similarity }
  const isAlike = similarity !== null && similarity >= rule.threshold
  return { result: isAlike ? 'Pass' : 'Fail', similarity }
}

function similarityTo(reference: BoundFace, portrait: readonly number[]): number | null {
  if (![portrait, reference.embedding].every(({ length }) => lengthsOf(reference).includes(length)))
    return null
  const { likeness, by } = likenessOf(
    separated(portrait, reference),
    separated(reference.embedding, reference),
    reference,
  )
  return wholeScore(scoreOf(likeness, by))
}

/** The lengths of a single embedding from these models, and of two that are joined. */
function lengthsOf({ embeddingModel, secondModel }: TemplateModels): readonly number[] {
  const first = embeddingLengths[embeddingModel]
  return secondModel === undefined ? [first] : [first, first + embeddingLengths[secondModel]]
}
