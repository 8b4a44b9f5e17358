import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import type { CameraChoice } from '#web/capture/analysis/camera/camera.ts'
import type { Stage } from '#web/capture/analysis/tracker.ts'
import type { Closing, StepSubmission } from './submissions.ts'

/** A consequence of a transition, with the events that a wait ends in; flow.ts runs it. */
export type EffectOf<Event> =
  /** Reads the link; begins its session if an act waits for it. */
  | { readonly type: 'open' }
  /** Begins the session without waiting for it. */
  | { readonly type: 'begin' }
  | { readonly type: 'prepare'; readonly plan: CapturePlan }
  | { readonly type: 'openCamera'; readonly choice: CameraChoice }
  | { readonly type: 'closeCamera' }
  | { readonly type: 'track'; readonly stage: Stage }
  | ({ readonly type: 'submitStep' } & StepSubmission)
  | { readonly type: 'submitSession'; readonly closing: Closing }
  | { readonly type: 'sendAgain' | 'dropSubmission' }
  /** After so long in the same state, an event. */
  | { readonly type: 'wait'; readonly milliseconds: number; readonly event: Event }
  | { readonly type: 'remember' }
  | { readonly type: 'leave'; readonly redirectUrl: string }
  | { readonly type: 'findWayBack' }
  | { readonly type: 'passkey'; readonly ceremony: PasskeyCeremony }
  | { readonly type: 'makeCode' | 'cancelHandoff' | 'follow' }
  | { readonly type: 'takeCode'; readonly code: string }
