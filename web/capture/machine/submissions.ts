import type { TestOutcome } from '#shared/contract/sessions/session.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'

/** Why the session is being closed. */
export type ClosingReason =
  | { readonly kind: 'frames'; readonly frames: readonly Picture[]; readonly challengeStep: number }
  | { readonly kind: 'declined' }
  | { readonly kind: 'noCamera' }
  /** The person chose the integrator's alternative. */
  | { readonly kind: 'otherWay' }
  /** The person accepts the previous try's verdict. */
  | { readonly kind: 'left' }
  | { readonly kind: 'test'; readonly result: TestOutcome['result'] }

/** The submission of one step. */
export interface StepSubmission {
  readonly step: number
  readonly frames: readonly Picture[]
  readonly request?: 'moreTime' | 'otherAction'
  /** Milliseconds since 1970 after which the pictures are late; absent if they have no deadline. */
  readonly until?: number
}
