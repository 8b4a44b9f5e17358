import type { Product } from '../../../e2e/support/product.ts'
import type { VerificationConfig } from '../../../shared/contract/configuration/verification-config.ts'
import type { Assurance } from '../../../shared/contract/sessions/session.ts'
import type { SessionResult } from '../../../shared/contract/sessions/session-result.ts'
import type { FilmKind } from '../films.ts'
import type { Forgery } from '../forgery.ts'

export const challenges = ['Balanced', 'Advanced'] as const
export type Challenge = (typeof challenges)[number]

type VerifierConfigs = NonNullable<VerificationConfig['verifierConfigs']>

/** What a verification asks of liveness beside the type of the challenge. Where nothing stands, the default configuration. */
export type Asked = Omit<NonNullable<VerifierConfigs['liveness']>, 'type' | 'challengeType'>

/** `leastAssurance=standard,evidence=optional` */
export function askedWords(asked: Asked): string {
  return Object.entries(asked)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}

/** What is attacked, and what goes with the pictures. */
export interface Plan {
  readonly challenge: Challenge
  readonly asked: Asked
  /** What is sent along as the film; a page makes its own of what it is shown. */
  readonly film: FilmKind
}

/** The configuration of a verification that is attacked. */
export function verifiersOf({ challenge, asked }: Pick<Plan, 'challenge' | 'asked'>): VerifierConfigs {
  return { liveness: { type: 'Verification', challengeType: challenge, ...asked } }
}

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
  open(product: Product, plan: Plan): Promise<Way>
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
