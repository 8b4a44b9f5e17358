import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import type { CameraChoice } from '#web/capture/analysis/camera/camera.ts'
import type { Stage } from '#web/capture/analysis/tracker.ts'
import type { ClosingReason, StepSubmission } from './submissions.ts'

/** A consequence of a transition; flow.ts runs it. `Event` is the type of the events that a timer sends. */
export type EffectOf<Event> =
  /** Reads the link, and begins its session if an action is waiting for it. */
  | { readonly type: 'open' }
  /** Begins the session without waiting for the result. */
  | { readonly type: 'begin' }
  | { readonly type: 'prepare'; readonly plan: CapturePlan }
  | { readonly type: 'openCamera'; readonly choice: CameraChoice }
  | { readonly type: 'closeCamera' }
  | { readonly type: 'track'; readonly stage: Stage }
  | ({ readonly type: 'submitStep' } & StepSubmission)
  | { readonly type: 'submitSession'; readonly closing: ClosingReason }
  | { readonly type: 'sendAgain' | 'dropSubmission' }
  /** Sends an event after this much time in the same state. */
  | { readonly type: 'wait'; readonly milliseconds: number; readonly event: Event }
  | { readonly type: 'remember' }
  | { readonly type: 'leave'; readonly redirectUrl: string }
  | { readonly type: 'findWayBack' }
  | { readonly type: 'passkey'; readonly ceremony: PasskeyCeremony }
  | { readonly type: 'makeCode' | 'cancelHandoff' | 'follow' }
  | { readonly type: 'takeCode'; readonly code: string }
