import type { FailedReason, VerifierResult } from '#shared/contract/sessions/session.ts'
import type { Denial } from './denial.ts'

/** The face recognition part of a result. */
export interface Recognition {
  readonly result: VerifierResult
  readonly reason: FailedReason | null
  readonly faceId: string | null
  readonly galleryTooLarge: boolean
  /** Absent if no faces that must not pass were searched. */
  readonly denied?: Denial
}

export const notRecognised: Recognition = {
  result: 'NotExecuted',
  reason: null,
  faceId: null,
  galleryTooLarge: false,
}
