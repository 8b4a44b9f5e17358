import type { TestOutcome } from '#shared/contract/sessions/session.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'

/** Reason for closing the session. */
export type Closing =
  | { readonly kind: 'frames'; readonly frames: readonly Picture[]; readonly challengeStep: number }
  | { readonly kind: 'declined' }
  | { readonly kind: 'noCamera' }
  /** The person chose the integrator's alternative. */
  | { readonly kind: 'otherWay' }
  /** The person accepts the verdict of the previous try. */
  | { readonly kind: 'left' }
  | { readonly kind: 'test'; readonly result: TestOutcome['result'] }

/** The submission of one step. */
export interface StepSubmission {
  readonly step: number
  readonly frames: readonly Picture[]
  readonly request?: 'moreTime' | 'otherAction'
  /** Milliseconds since 1970 after which the pictures are late; absent if they cannot be. */
  readonly until?: number
}
