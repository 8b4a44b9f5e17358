import type { SignatureState } from '#shared/contract/configuration/signature.ts'
import type { FailedReason } from '#shared/contract/sessions/session.ts'

/** The texts on the demo's result page in one language. Names and values are not translated, because integrators see them that way. */
export interface AnswerWording {
  /** BCP 47 */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly title: string
  /** The verdict in a few words; `untrusted` if the signature is not valid. */
  readonly verdict: Readonly<Record<'passed' | 'failed' | 'untrusted', string>>
  /** The explanation if the result does not list a reason. */
  readonly why: Readonly<Record<'passed' | 'failed' | 'untrusted', string>>
  readonly reasons: Readonly<Record<FailedReason, string>>
  /** What the signature check means to the receiver of a result. */
  readonly signature: Readonly<Record<SignatureState, string>>
  readonly again: string
  /** The label that unfolds the response for an integrator's server. */
  readonly details: string
  readonly tag: string
  readonly footer: string
}
