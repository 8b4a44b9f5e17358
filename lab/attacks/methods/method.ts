import type { Product } from '../../../e2e/support/product.ts'
import type { VerificationConfig } from '../../../shared/contract/configuration/verification-config.ts'
import type { Assurance } from '../../../shared/contract/sessions/session.ts'
import type { SessionResult } from '../../../shared/contract/sessions/session-result.ts'
import type { FilmKind } from '../films.ts'
import type { Forgery } from '../forgery.ts'

export const challenges = ['Balanced', 'Advanced'] as const
export type Challenge = (typeof challenges)[number]

type VerifierConfigs = NonNullable<VerificationConfig['verifierConfigs']>

/** Settings of a verification's liveness besides the challenge type. If empty, the default configuration. */
export type Asked = Omit<NonNullable<VerifierConfigs['liveness']>, 'type' | 'challengeType'>

/** For example `leastAssurance=standard,evidence=optional`. */
export function askedWords(asked: Asked): string {
  return Object.entries(asked)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}

/** The attacked configuration, and how the pictures are sent. */
export interface Plan {
  readonly challenge: Challenge
  readonly asked: Asked
  /** The film to send; a page makes its own. */
  readonly film: FilmKind
}

/** The configuration of the verification to attack. */
export function verifiersOf({ challenge, asked }: Pick<Plan, 'challenge' | 'asked'>): VerifierConfigs {
  return { liveness: { type: 'Verification', challengeType: challenge, ...asked } }
}

/** Outcome of one session. */
export interface Attempt {
  readonly passed: boolean
  /** Assurance reported by the product; null if the session did not finish. */
  readonly assurance: Assurance | null
  /** Whether a passkey held in software and bound after the session led a second visit to `high`. */
  readonly leadsToHigh?: boolean
  /** The product's reasons for refusing, or the point at which an unfinished attack got stuck. */
  readonly reasons: readonly string[]
}

/** A way to get pictures into the product. */
export interface Way {
  /**
   * Runs one session. With `again`, a session that reached `standard` is followed by a second visit with the passkey
   * that was bound after it; only methods with passkeys support that.
   */
  attempt(forgery: Forgery, again?: () => Forgery): Promise<Attempt>
  close(): Promise<void>
}

export interface Method {
  readonly name: string
  /** One sentence for the report. */
  readonly is: string
  /** Limit of concurrent sessions. */
  readonly atOnce: number
  /** True if the method can present a passkey. */
  readonly hasPasskeys?: boolean
  /** Settings that the product needs for this method. */
  settings?(): Promise<Record<string, string>>
  open(product: Product, plan: Plan): Promise<Way>
}

export function attemptOf(result: SessionResult): Attempt {
  const { verificationResult, verificationFailedReasons: reasons, assurance } = result
  return { passed: verificationResult === 'Pass', assurance, reasons }
}

/** True if a session passed with at least `standard` assurance. */
export function isAssured({ passed, assurance }: Attempt): boolean {
  return passed && (assurance === 'standard' || assurance === 'high')
}
