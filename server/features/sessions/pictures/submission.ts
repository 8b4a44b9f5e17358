import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { Judgement } from '#server/features/sessions/access/judgement.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { Picture } from '#server/platform/http/requests/pictures/frames.ts'
import type { TrailPicture } from '#server/platform/http/requests/pictures/trail.ts'
import type { Lease } from '#server/platform/running/byte-budget.ts'
import type { Transaction } from '#server/platform/store/transaction.ts'
import type { FailedReason, TestOutcome } from '#shared/contract/sessions/session.ts'
import type { FrameFinding } from './analyse-frames.ts'

/** One request's contribution to a session, decoded and checked. Its `kind` says how it is judged. */
export type Submission = BatchSubmission | StepSubmission | FinalSubmission

/** A submission after which a session is decided: it ends, or another try begins. */
export type FinalSubmission =
  | TrySubmission
  | CaptureSubmission
  | TestSubmission
  | EndSubmission
  | LeaveSubmission
  | ExpirySubmission

/** The pictures in a request. */
export interface SubmittedPictures {
  readonly pictures: readonly Picture[]
  /** The newly submitted part of the film. */
  readonly trail: readonly TrailPicture[]
}

/** Pictures sent before their step ends, and judged with it. */
export interface BatchSubmission extends SubmittedPictures {
  readonly kind: 'batch'
  /** Identifies the pictures and their times if the batch is sent again. */
  readonly digest: string
  /** The memory reserved for the pictures until they are analysed. */
  readonly lease: Lease
}

/** The last pictures in a step, which end it. */
export interface StepSubmission extends SubmittedPictures {
  readonly kind: 'step'
  readonly early: EarlyFindings
}

interface FinalPictures extends SubmittedPictures {
  /** The session, including the data sent with the pictures. */
  readonly record: SessionRecord
}

/** A page's last pictures in a try. The try is judged by all its pictures. */
export interface TrySubmission extends FinalPictures {
  readonly kind: 'try'
  readonly early: EarlyFindings
  /** True if the page can offer another try. */
  readonly acceptsRetry: boolean
}

/** All pictures of a kiosk's visit. */
export interface CaptureSubmission extends FinalPictures {
  readonly kind: 'capture'
  /** Judges the capture by the observations in its pictures. Pure. The record contains the whole film. */
  judge(record: SessionRecord, seen: readonly Observation[]): Judgement
}

/** The end of a try in a test session. Its pictures are validated and discarded. */
export interface TestSubmission extends FinalPictures {
  readonly kind: 'test'
  readonly outcome: TestOutcome
  /** True if pictures were sent, which begins the session. */
  readonly hasPictures: boolean
  /** True if the page can offer another try. */
  readonly acceptsRetry: boolean
}

/** The person ended the session, or the camera is unavailable. Nothing is analysed. */
export interface EndSubmission extends FinalPictures {
  readonly kind: 'end'
  readonly reason: FailedReason
}

/** The person left after a failed try. Its verdict becomes final. */
export interface LeaveSubmission extends FinalPictures {
  readonly kind: 'leave'
}

/** Nothing was submitted in time. */
export interface ExpirySubmission extends FinalPictures {
  readonly kind: 'expiry'
}

/** For submissions that are not judged by pictures. */
export const noPictures: SubmittedPictures = { pictures: [], trail: [] }

/** The findings in pictures sent before a step ends, in order of arrival. */
export interface EarlyFindings {
  readonly frames: readonly FrameFinding[]
  readonly film: readonly TrailPoint[]
  /** How many frames count towards the limit. */
  readonly frameCount: number
  /** How many film pictures count towards the limit. */
  readonly trailCount: number
  /** When the last picture arrived, in milliseconds since 1970; 0 if there are none. */
  readonly lastArrival: number
  /** Makes a commit fail if more pictures have arrived since. */
  hold(transaction: Pick<Transaction, 'hold'>): void
  /** For the commit that ends the step: marks the batches as judged, so that a batch sent again is recognised. */
  markJudged(transaction: Pick<Transaction, 'write'>, step: number): void
}
