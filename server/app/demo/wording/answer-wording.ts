import type { SignatureState } from '#shared/contract/configuration/signature.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'

/** How the demo answers in one language: what a visitor reads first. Names and values below it stay as an integrator reads them. */
export interface AnswerWording {
  /** BCP 47 */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly title: string
  /** The verdict in a few words; `untrusted` where the signature does not hold. */
  readonly verdict: Readonly<Record<'passed' | 'failed' | 'untrusted', string>>
  /** Why, where no reason is named. */
  readonly why: Readonly<Record<'passed' | 'failed' | 'untrusted', string>>
  readonly reasons: Readonly<Record<FailedReason, string>>
  /** What the check of the signature means for who receives the result. */
  readonly signature: Readonly<Record<SignatureState, string>>
  readonly again: string
  /** Unfolds what an integrator's server receives. */
  readonly details: string
  readonly tag: string
  readonly footer: string
}
