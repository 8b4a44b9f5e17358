import type { Product } from '../../../e2e/support/product.ts'
import type { Forgery } from '../forgery.ts'

export const challenges = ['Balanced', 'Advanced'] as const
export type Challenge = (typeof challenges)[number]

/** What came of one session. */
export interface Attempt {
  readonly passed: boolean
  /** Why not, as the product tells it; of an attack that did not come to its end, where it stuck. */
  readonly reasons: readonly string[]
}

/** How pictures get in. */
export interface Way {
  /** One session. */
  attempt(forgery: Forgery): Promise<Attempt>
  close(): Promise<void>
}

export interface Method {
  readonly name: string
  /** In a sentence, for the report. */
  readonly is: string
  /** How many sessions may be under way at once. */
  readonly atOnce: number
  open(product: Product, challenge: Challenge): Promise<Way>
}
