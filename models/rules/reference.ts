import type { VerifierResult } from '#shared/contract/sessions/session.ts'
import { embeddingLengths } from './embedding.ts'
import type { BoundFace } from './liveness/evidence/bound-face.ts'
import { scoreOf, wholeScore } from './similarity.ts'
import { likenessOf, separated, type TemplateModels } from './templates.ts'

/** Whether somebody fails who is not the one in the reference picture; `threshold` is a similarity, 0 to 100. */
export type ReferenceRule =
  | { readonly type: 'CalculationOnly' }
  | { readonly type: 'Verification'; readonly threshold: number }

/** What came of the comparison with a reference picture. */
export interface ReferenceOutcome {
  /** NotExecuted where nobody was to fail by it, or no face was good enough. */
  readonly result: VerifierResult
  /** -1 to 100, whole, rounded down; null where nothing was compared. */
  readonly similarity: number | null
}

/**
 * Compares the face of a visit with that of the picture which the caller gave. [Note: No comparison, no pass] Under Verification a
 * face that cannot be compared fails: the picture is missing, or its embedding is of a model that is not in use any more.
 * @param portrait of the visit; null where no face was good enough, which is a reason of its own
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

/** Of one embedding of these models, and of two that are joined. */
function lengthsOf({ embeddingModel, secondModel }: TemplateModels): readonly number[] {
  const first = embeddingLengths[embeddingModel]
  return secondModel === undefined ? [first] : [first, first + embeddingLengths[secondModel]]
}
