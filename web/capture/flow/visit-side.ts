import type { ReadonlySignal } from '@preact/signals'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import type { Film } from '#web/capture/analysis/film.ts'
import type { LookBack } from '#web/capture/analysis/look-back.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import type { Event, Situation } from '#web/capture/machine/state.ts'
import type { ClosingReason, StepSubmission } from '#web/capture/machine/submissions.ts'
import type { DeviceReport } from '#web/capture/sending/device-report.ts'
import type { ShownWording } from '#web/capture/sending/submit.ts'
import type { Uplink } from '#web/capture/sending/uplink.ts'

/** Receives a visit's submissions and answers with events. It is either a server or the kiosk itself. */
export interface VisitSide {
  open(): Promise<void>
  submitStep(step: StepSubmission): Promise<void>
  /** Sends a picture while its step is in progress. Absent at a kiosk, which sends nothing during a visit. */
  handIn?(step: number, picture: Picture): void
  submitSession(closing: ClosingReason): Promise<void>
  /** Ignores all further answers to submissions. */
  drop(): void
  /** Absent at a kiosk, where the visit ends on the page it started on. */
  readonly session?: SessionSide
}

/** A session on a server. It survives reloads and network failures, and can move to another device. */
export interface SessionSide {
  sendAgain(): Promise<void> | undefined
  /** Begins the session of a link that has only been read so far. Nothing waits for the result. */
  begin(): void
  remember(): void
  forget(): void
  findWayBack(): Promise<void>
  /** Uses or creates a passkey. */
  holdPasskey(ceremony: PasskeyCeremony): Promise<void>
  /** A link that continues this session in another tab; null before the session is open. */
  elsewhere(): string | null
  readonly handoff: HandoffSide
  /** The page is closing: reports that the session was declined, unless that has already been done. */
  bye(): void
}

/** Offers the session to another device, follows it there, and takes it back. */
export interface HandoffSide {
  makeCode(): Promise<void>
  cancel(): Promise<void>
  follow(): void
  stopFollowing(): void
  /** Takes over a session using the code shown on another device. */
  takeCode(code: string): Promise<void>
}

/** A side's inputs and callbacks. */
export interface SideOptions {
  readonly send: (event: Event) => void
  readonly situation: ReadonlySignal<Situation>
  readonly wording: (plan: CapturePlan) => Promise<ShownWording>
  readonly report: DeviceReport
  readonly film: Film
  /** The device's observations during this try. */
  readonly lookBack: LookBack
  /** Milliseconds since the camera started. */
  readonly time: () => number
  readonly uplink: Uplink
  /** Aborts when the visit is over and no more requests should be made. */
  readonly ended: AbortSignal
}

/** Creates a side for one run of the flow. */
export type SideFactory = (options: SideOptions) => VisitSide
