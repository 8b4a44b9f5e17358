import type { ReadonlySignal } from '@preact/signals'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import type { Film } from '#web/capture/analysis/film.ts'
import type { LookBack } from '#web/capture/analysis/look-back.ts'
import type { Event, Situation } from '#web/capture/machine/state.ts'
import type { Closing, StepSubmission } from '#web/capture/machine/submissions.ts'
import type { DeviceReport } from '#web/capture/sending/device-report.ts'
import type { ShownWording } from '#web/capture/sending/submit.ts'
import type { Uplink } from '#web/capture/sending/uplink.ts'

/** Receives the submissions of a visit and answers with events: a server, or the kiosk itself. */
export interface VisitSide {
  open(): Promise<void>
  submitStep(step: StepSubmission): Promise<void>
  submitSession(closing: Closing): Promise<void>
  /** Ignores all further answers to submissions. */
  drop(): void
  /** Absent at a kiosk, where a visit ends on the same page. */
  readonly session?: SessionSide
}

/** A session on a server: it survives a reload and network failures, and can move to another device. */
export interface SessionSide {
  sendAgain(): Promise<void> | undefined
  /** Begins the session of a link that was only read; nothing waits for it. */
  begin(): void
  remember(): void
  forget(): void
  findWayBack(): Promise<void>
  /** Uses or creates a passkey. */
  holdPasskey(ceremony: PasskeyCeremony): Promise<void>
  /** Link that continues this session in another tab; null before it is open. */
  elsewhere(): string | null
  readonly handoff: HandoffSide
  /** The page is closing: reports a declined session, unless that has been done. */
  bye(): void
}

/** Offers the session to another device, follows it there, and takes it back. */
export interface HandoffSide {
  makeCode(): Promise<void>
  cancel(): Promise<void>
  follow(): void
  stopFollowing(): void
  /** Takes over the session of the code shown by another device. */
  takeCode(code: string): Promise<void>
}

/** Input and callbacks of a side. */
export interface SideOptions {
  readonly send: (event: Event) => void
  readonly situation: ReadonlySignal<Situation>
  readonly wording: (plan: CapturePlan) => Promise<ShownWording>
  readonly report: DeviceReport
  readonly film: Film
  /** Observations of the device in this try. */
  readonly lookBack: LookBack
  /** Milliseconds since the camera started. */
  readonly time: () => number
  readonly uplink: Uplink
  /** The visit is over: nothing is asked any more. */
  readonly ended: AbortSignal
}

/** Creates a side for one run of the flow. */
export type SideFactory = (options: SideOptions) => VisitSide
