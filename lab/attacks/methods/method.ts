import type { Assurance } from '#shared/contract/sessions/session.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Product } from '../../../e2e/support/product.ts'
import type { FilmKind } from '../films.ts'
import type { Forgery } from '../forgery.ts'

export const challenges = ['Balanced', 'Advanced'] as const
export type Challenge = (typeof challenges)[number]

/** What came of one session. */
export interface Attempt {
  readonly passed: boolean
  /** How sure the product says that it is; null where the session did not come to its end. */
  readonly assurance: Assurance | null
  /** Whether a passkey of software that was bound after it led a second visit to `high`. */
  readonly leadsToHigh?: boolean
  /** Why not, as the product tells it; of an attack that did not come to its end, where it stuck. */
  readonly reasons: readonly string[]
}

/** How pictures get in. */
export interface Way {
  /**
   * One session. Where `again` is given, a second visit follows one that reached `standard`, with the passkey that was bound
   * after it; only where the method can do that.
   */
  attempt(forgery: Forgery, again?: () => Forgery): Promise<Attempt>
  close(): Promise<void>
}

export interface Method {
  readonly name: string
  /** In a sentence, for the report. */
  readonly is: string
  /** How many sessions may be under way at once. */
  readonly atOnce: number
  /** Whether it can show a passkey. */
  readonly hasPasskeys?: boolean
  /** Settings that the product needs for it. */
  settings?(): Promise<Record<string, string>>
  /** @param film what is sent along; a page makes its own of what it is shown */
  open(product: Product, challenge: Challenge, film: FilmKind): Promise<Way>
}

/** What a result says of an attempt. */
export function attemptOf(result: SessionResult): Attempt {
  const { verificationResult, verificationFailedReasons: reasons, assurance } = result
  return { passed: verificationResult === 'Pass', assurance, reasons }
}

/** Whether a session passed, and the product says of it that it is sure. */
export function isAssured({ passed, assurance }: Attempt): boolean {
  return passed && (assurance === 'standard' || assurance === 'high')
}
