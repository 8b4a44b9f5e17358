import type { TestOutcome } from '#shared/contract/sessions/session.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'

/** What closes the session. */
export type Closing =
  | { readonly kind: 'frames'; readonly frames: readonly Picture[]; readonly challengeStep: number }
  | { readonly kind: 'declined' }
  | { readonly kind: 'noCamera' }
  /** The way that the integrator offers instead. */
  | { readonly kind: 'otherWay' }
  /** With the verdict of the try before. */
  | { readonly kind: 'left' }
  /** A test, which ends as was chosen. */
  | { readonly kind: 'test'; readonly result: TestOutcome['result'] }

/** What is handed in for one step. */
export interface StepSubmission {
  readonly step: number
  readonly frames: readonly Picture[]
  readonly request?: 'moreTime' | 'otherAction'
  /** Milliseconds since 1970: when the pictures come too late; absent where they cannot. */
  readonly until?: number
}
