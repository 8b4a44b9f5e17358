import type { ReadonlySignal } from '@preact/signals'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import type { Film } from '#web/capture/analysis/film.ts'
import type { LookBack } from '#web/capture/analysis/look-back.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import type { Event, Situation } from '#web/capture/machine/state.ts'
import type { Closing, StepSubmission } from '#web/capture/machine/submissions.ts'
import type { DeviceReport } from '#web/capture/sending/device-report.ts'
import type { ShownWording } from '#web/capture/sending/submit.ts'

/** Where a visit is handed in, and what answers it with events: a server, or the kiosk itself. */
export interface VisitSide {
  open(): Promise<void>
  submitStep(step: StepSubmission): Promise<void>
  /** Hands a picture in while its step is acted. Absent at a kiosk, which sends nothing yet. */
  handIn?(step: number, picture: Picture): void
  submitSession(closing: Closing): Promise<void>
  /** From now on no answer to what was submitted is heard. */
  drop(): void
  /** Absent at a kiosk, whose visits end where they began. */
  readonly session?: SessionSide
}

/** A session on a server: it outlives a reload and a lost network, and may go to another device. */
export interface SessionSide {
  sendAgain(): Promise<void> | undefined
  remember(): void
  forget(): void
  findWayBack(): Promise<void>
  /** Shows or makes a passkey. */
  holdPasskey(ceremony: PasskeyCeremony): Promise<void>
  /** Where another tab goes on with this session; null before it is open. */
  elsewhere(): string | null
  readonly handoff: HandoffSide
  /** The page goes away: a declined session is reported, if it was not yet. */
  bye(): void
}

/** Lets the session go to another device, follows it there, and takes it back. */
export interface HandoffSide {
  makeCode(): Promise<void>
  cancel(): Promise<void>
  follow(): void
  stopFollowing(): void
  /** Takes over what another device shows the code of. */
  takeCode(code: string): Promise<void>
}

/** What a side is given: whom it tells, and what it may read. */
export interface SideOptions {
  readonly send: (event: Event) => void
  readonly situation: ReadonlySignal<Situation>
  readonly wording: (plan: CapturePlan) => Promise<ShownWording>
  readonly report: DeviceReport
  /** The thin film of the visit. */
  readonly film: Film
  /** What the device saw in this try. */
  readonly lookBack: LookBack
  /** Milliseconds since the camera started. */
  readonly time: () => number
  /** The visit is over: nothing is asked any more. */
  readonly ended: AbortSignal
}

/** Makes a side for one run of the flow. */
export type SideFactory = (options: SideOptions) => VisitSide
