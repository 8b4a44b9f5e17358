import type { FailedReason, VerifierResult } from '#shared/contract/sessions/session.ts'

/** The part of a result from face recognition. */
export interface Recognition {
  readonly result: VerifierResult
  readonly reason: FailedReason | null
  readonly faceId: string | null
  readonly galleryTooLarge: boolean
}

export const notRecognised: Recognition = {
  result: 'NotExecuted',
  reason: null,
  faceId: null,
  galleryTooLarge: false,
}
