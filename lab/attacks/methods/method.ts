import type { Product } from '../../../e2e/support/product.ts'
import type { Assurance } from '../../../shared/contract/configuration/check-settings.ts'
import type { SessionResult } from '../../../shared/contract/sessions/session-result.ts'
import type { FilmKind } from '../films.ts'
import type { Forgery, LivenessSettings, VerifierConfigs } from '../forgery.ts'

export const challenges = ['Balanced', 'Advanced'] as const
export type Challenge = (typeof challenges)[number]

/** For example `leastAssurance=standard,evidence=optional`. */
export function askedWords(asked: LivenessSettings): string {
  return Object.entries(asked)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}

/** The configuration to attack, and how to send the pictures. */
export interface Plan {
  readonly challenge: Challenge
  readonly asked: LivenessSettings
  /** The film to send. A page makes its own. */
  readonly film: FilmKind
}

/** The configuration of the verification under attack. */
export function verifiersOf({ challenge, asked }: Pick<Plan, 'challenge' | 'asked'>): VerifierConfigs {
  return { liveness: { type: 'Verification', challengeType: challenge, ...asked } }
}

/** The outcome of a single session. */
export interface Attempt {
  readonly passed: boolean
  /** The assurance that the product reported, or null if the session did not finish. */
  readonly assurance: Assurance | null
  /** True if a software passkey bound after the session got a second visit to `high`. */
  readonly leadsToHigh?: boolean
  /** The product's reasons for rejecting, or the point at which an unfinished attack got stuck. */
  readonly reasons: readonly string[]
}

/** A way to get pictures into the product. */
export interface Way {
  /**
   * Runs one session. If `again` is given and the session reaches `standard`, it is followed by a second visit with the passkey that was bound
   * afterwards. Only methods with passkeys support this.
   */
  attempt(forgery: Forgery, again?: () => Forgery): Promise<Attempt>
  close(): Promise<void>
}

export interface Method {
  readonly name: string
  /** A one-sentence description for the report. */
  readonly is: string
  /** The maximum number of concurrent sessions. */
  readonly atOnce: number
  /** True if the method can present a passkey. */
  readonly hasPasskeys?: boolean
  /** The product settings that this method requires. */
  settings?(): Promise<Record<string, string>>
  open(product: Product, plan: Plan): Promise<Way>
}

export function attemptOf(result: SessionResult): Attempt {
  const { verificationResult, verificationFailedReasons: reasons, assurance } = result
  return { passed: verificationResult === 'Pass', assurance, reasons }
}

/** True if the session passed with at least `standard` assurance. */
export function isAssured({ passed, assurance }: Attempt): boolean {
  return passed && (assurance === 'standard' || assurance === 'high')
}
